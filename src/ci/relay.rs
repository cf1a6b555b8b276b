//! A loopback address, seen from inside a container.
//!
//! There it is the container itself, while the user means the machine around it.
//! Where nothing listens, we listen ourselves at that address and pass every byte
//! on to the default gateway, which is that machine: so the address, `Host` and
//! the name in a certificate stay what the user wrote.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use url::{Host, Url};

use super::{Stop, Streams};
use crate::model::evidence::ProbeState;
use crate::model::target::is_loopback;
use crate::transport::http::shown;

/// How long a connection may take to be made.
const DIAL: Duration = Duration::from_secs(3);

/// What passes bytes on, for as long as it lives.
#[derive(Debug)]
pub(super) struct Relay {
    tasks: Vec<JoinHandle<()>>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Opens a relay where the address needs one; `None` where it does not.
pub(super) async fn open(url: &Url, streams: &dyn Streams) -> Result<Option<Relay>, Stop> {
    let (true, true, Some(port)) = (
        is_loopback(url),
        is_container(),
        url.port_or_known_default(),
    ) else {
        return Ok(None);
    };
    let own = own_addresses(url, port);
    for address in &own {
        if reaches(*address).await {
            return Ok(None);
        }
    }
    let gateway = gateway();
    if let Some(gateway) = gateway {
        let there = SocketAddr::from((gateway, port));
        if reaches(there).await
            && let Some(relay) = listen(&own, there).await
        {
            streams.err(&format!(
                "mcprobe: nothing listens at {} in this container; using the machine around it ({there})\n",
                shown(url)
            ));
            return Ok(Some(relay));
        }
    }
    Err(Stop::failed(
        ProbeState::Unreachable,
        ways_out(url, gateway),
    ))
}

fn ways_out(url: &Url, gateway: Option<Ipv4Addr>) -> String {
    let nor = gateway.map_or_else(String::new, |gateway| {
        format!(", and the machine around it ({gateway}) does not answer on that port either")
    });
    format!(
        "{} is refused: in a container a loopback address is the container itself{nor}. Ways out: set `startup-timeout` if the server is only starting; give `command` with `url`, so that the server is started in here; let the server listen on 0.0.0.0 instead of 127.0.0.1; run it under `services:` and use its name; or run the image with host networking (docker run --network host)",
        shown(url)
    )
}

/// Whether this process runs in a container.
pub(super) fn is_container() -> bool {
    ["/.dockerenv", "/run/.containerenv"]
        .iter()
        .any(|mark| Path::new(mark).exists())
}

/// What the host of a loopback URL stands for.
fn own_addresses(url: &Url, port: u16) -> Vec<SocketAddr> {
    let ips: &[IpAddr] = match url.host() {
        Some(Host::Ipv4(ip)) => &[IpAddr::V4(ip)],
        Some(Host::Ipv6(ip)) => &[IpAddr::V6(ip)],
        Some(Host::Domain(_)) | None => &[
            IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(Ipv6Addr::LOCALHOST),
        ],
    };
    ips.iter().map(|ip| SocketAddr::from((*ip, port))).collect()
}

async fn reaches(address: SocketAddr) -> bool {
    matches!(
        tokio::time::timeout(DIAL, TcpStream::connect(address)).await,
        Ok(Ok(_))
    )
}

/// The machine around this container. On the machine's own network, where the
/// bridges of containers are to be seen, the gateway is some other machine, and
/// nothing of ours is sent there.
fn gateway() -> Option<Ipv4Addr> {
    let devices = std::fs::read_to_string("/proc/net/dev").ok()?;
    if has_bridge(&devices) {
        return None;
    }
    default_gateway(&std::fs::read_to_string("/proc/net/route").ok()?)
}

fn has_bridge(devices: &str) -> bool {
    devices
        .lines()
        .filter_map(|line| line.split_once(':'))
        .any(|(name, _)| matches!(name.trim(), "docker0" | "podman0" | "cni0"))
}

/// The gateway of the default route in the kernel's table, which writes an
/// address as the number that its bytes are in memory.
fn default_gateway(table: &str) -> Option<Ipv4Addr> {
    table.lines().skip(1).find_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let (destination, gateway) = (fields.next()?, fields.next()?);
        let number = u32::from_str_radix(gateway, 16).ok()?;
        let is_default = destination == "00000000" && number != 0;
        is_default.then(|| Ipv4Addr::from(number.to_ne_bytes()))
    })
}

/// Listens at what it can of `own`.
async fn listen(own: &[SocketAddr], there: SocketAddr) -> Option<Relay> {
    let mut tasks = Vec::new();
    for address in own {
        if let Ok(listener) = TcpListener::bind(address).await {
            tasks.push(tokio::spawn(pass_on(listener, there)));
        }
    }
    (!tasks.is_empty()).then_some(Relay { tasks })
}

async fn pass_on(listener: TcpListener, there: SocketAddr) {
    // Ends its connections when it is itself ended.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok((mut near, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        connections.spawn(async move {
            let dialled = tokio::time::timeout(DIAL, TcpStream::connect(there)).await;
            if let Ok(Ok(mut far)) = dialled {
                let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    #[test]
    fn the_default_gateway_of_a_route_table() {
        let table = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\n\
                     eth0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\n\
                     eth0\t00000000\t010011AC\t0003\t0\t0\t0\t00000000\n";
        if cfg!(target_endian = "little") {
            assert_eq!(default_gateway(table), Some(Ipv4Addr::new(172, 17, 0, 1)));
        }
        assert_eq!(default_gateway("Iface\n"), None);
        assert_eq!(default_gateway("Iface\nnonsense\neth0 00000000 zz\n"), None);
        assert!(has_bridge("head | x\n  docker0: 1 2\n"));
        assert!(!has_bridge("head | x\n  eth0: 1 2\n    lo: 1\n"));
    }

    #[test]
    fn the_ways_out_are_named() {
        let url = Url::parse("http://u:p@127.0.0.1:8123/mcp").expect("a URL");
        insta::assert_snapshot!(ways_out(&url, Some(Ipv4Addr::new(172, 17, 0, 1))), @"http://127.0.0.1:8123/mcp is refused: in a container a loopback address is the container itself, and the machine around it (172.17.0.1) does not answer on that port either. Ways out: set `startup-timeout` if the server is only starting; give `command` with `url`, so that the server is started in here; let the server listen on 0.0.0.0 instead of 127.0.0.1; run it under `services:` and use its name; or run the image with host networking (docker run --network host)");
    }

    #[tokio::test]
    async fn bytes_reach_the_other_address_at_the_same_port() {
        // Another address of this machine plays the gateway.
        let far = TcpListener::bind("127.0.0.2:0").await.expect("a port");
        let there = far.local_addr().expect("an address");
        tokio::spawn(async move {
            let (mut stream, _) = far.accept().await.expect("a connection");
            let mut heard = [0; 4];
            stream.read_exact(&mut heard).await.expect("four bytes");
            stream.write_all(&heard).await.expect("sent");
        });
        let near = SocketAddr::from((Ipv4Addr::LOCALHOST, there.port()));
        let relay = listen(&[near], there).await.expect("a relay");
        let mut stream = TcpStream::connect(near).await.expect("a connection");
        stream.write_all(b"ping").await.expect("sent");
        let mut heard = [0; 4];
        stream.read_exact(&mut heard).await.expect("four bytes");
        assert_eq!(&heard, b"ping");
        drop(relay);
    }
}
