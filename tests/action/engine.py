"""Images and containers without a Docker daemon: mmdebstrap, buildah, podman."""

import os
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRATCH = ROOT / "target" / "action"
BASE = "docker.io/library/debian:trixie-slim"
FULL = "localhost/mcprobe-action:full"
SLIM = "localhost/mcprobe-action:slim"

PACKAGES = ["buildah", "podman", "runc", "mmdebstrap", "iproute2", "debian-archive-keyring", "ca-certificates"]
PROGRAMS = ["buildah", "podman", "runc", "mmdebstrap", "ip"]

# Limits under the hard limits of a nested machine; the defaults of podman are above them.
LIMITS = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=8192:8192"]

CA_BUNDLE = Path("/etc/ssl/certs/ca-certificates.crt")


class EngineError(Exception):
    """The image could not be made, so nothing can be tested."""


def say(text):
    print(text, file=sys.stderr, flush=True)


def checked(command, what, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        raise EngineError(f"{what} failed ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout[-4000:]}")
    return done.stdout


def install():
    """Installs what is missing; a machine that cannot have it is a failure, not a skip."""
    if all(shutil.which(program) for program in PROGRAMS):
        return
    if os.geteuid() != 0:
        raise EngineError(f"needs root to install {', '.join(PACKAGES)}")
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    say("installing " + " ".join(PACKAGES))
    checked(["apt-get", "update"], "apt-get update", env=environment)
    checked(["apt-get", "install", "-y", "--no-install-recommends", *PACKAGES], "apt-get install", env=environment)
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        raise EngineError(f"installed, and still missing: {', '.join(missing)}")


class Engine:
    """One image store under target/, and the containers that run from it."""

    def __init__(self):
        SCRATCH.mkdir(parents=True, exist_ok=True)
        # podman wants this path short, and the same whenever it opens the store.
        self.run_root = f"/run/mcprobe-{zlib.crc32(str(SCRATCH).encode()):08x}"
        self.store = [
            "--root", str(SCRATCH / "store"), "--runroot", self.run_root, "--storage-driver", self.driver(),
        ]  # fmt: skip
        self.podman = ["podman", *self.store, "--cgroup-manager", "cgroupfs", "--runtime", "runc"]

    @staticmethod
    def driver():
        """Overlay does not stack on overlay; the copying driver works anywhere."""
        kind = subprocess.run(["stat", "-f", "-c", "%T", SCRATCH], capture_output=True, text=True).stdout.strip()
        return "vfs" if kind.startswith(("overlay", "tmpfs", "9p")) else "overlay"

    def close(self):
        subprocess.run([*self.podman, "rm", "-af"], capture_output=True)

    def has(self, image):
        return subprocess.run([*self.podman, "image", "exists", image], capture_output=True).returncode == 0

    def base(self):
        """A Debian root under the name that the Dockerfile pulls."""
        if self.has(BASE):
            return
        say(f"making {BASE} with mmdebstrap")
        archive = SCRATCH / "base.tar"
        # The machine's own CA bundle: registries may be behind a proxy with its own certificate.
        hook = (
            'mkdir -p "$1/usr/local/share/ca-certificates" && '
            f'cp {CA_BUNDLE} "$1/usr/local/share/ca-certificates/test-machine.crt"'
        )
        hooks = [f"--customize-hook={hook}"] if CA_BUNDLE.exists() else []
        checked(["mmdebstrap", "--variant=minbase", *hooks, "trixie", archive], "mmdebstrap")
        checked([*self.podman, "import", "--quiet", archive, BASE], "podman import")
        archive.unlink()

    def build(self, binary):
        """Both images from the Dockerfile as it stands, with a binary in place of its first stage."""
        self.base()
        context = SCRATCH / "binary"
        shutil.rmtree(context, ignore_errors=True)
        context.mkdir()
        shutil.copy2(binary, context / "mcprobe")
        for image, target in ((SLIM, "slim"), (FULL, "full")):
            say(f"building {image} from the Dockerfile")
            checked(
                ["buildah", *self.store, "build", "--isolation", "chroot", "--layers", "--pull=never",
                 "--build-context", f"binary={context}", "--target", target, "--tag", image, ROOT],
                "buildah",
            )  # fmt: skip

    def run(self, image, machine, variables, network, arguments, name=None, user=None, github=True):
        """The runner's own `docker run` line. Values travel in the environment, as they do there."""
        command = [*self.podman, "run", "--rm", "--workdir", "/github/workspace", "--network", network, *LIMITS]
        if name:
            command += ["--name", name]
        if user:
            command += ["--user", user]
        for variable in variables:
            command += ["-e", variable]
        mounts = machine.mounts()
        if github:
            command += ["-e", "HOME=/github/home"]
        else:
            mounts = mounts[-1:]
        for host, inside in mounts:
            command += ["-v", f"{host}:{inside}"]
        return subprocess.Popen(
            [*command, image, *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | variables,
        )  # fmt: skip

    def signal(self, name, number):
        checked([*self.podman, "kill", "--signal", str(number), name], "podman kill")

    def running(self, name):
        done = subprocess.run([*self.podman, "ps", "-aq", "--filter", f"name={name}"], capture_output=True, text=True)
        return bool(done.stdout.strip())

    def shell(self, image, script):
        """A look into an image."""
        return checked(
            [*self.podman, "run", "--rm", "--network", "none", *LIMITS, "--entrypoint", "sh", image, "-c", script],
            "a look into the image",
        )


class Networks:
    """Two network namespaces: one for the container, one that plays its host.

    The container's default route is the host side, as on Docker's bridge, and
    nothing outside the two can be reached.
    """

    GATEWAY, INSIDE = "192.0.2.1", "192.0.2.2"

    def __init__(self):
        tag = f"{os.getpid():x}"
        self.host, self.inside = f"mph{tag}", f"mpc{tag}"

    def __enter__(self):
        a, b = f"va{self.host[3:]}", f"vb{self.host[3:]}"
        for name in (self.host, self.inside):
            checked(["ip", "netns", "add", name], "ip netns add")
        checked(["ip", "link", "add", a, "netns", self.host, "type", "veth", "peer", "name", b, "netns", self.inside],
                "ip link add")  # fmt: skip
        for name, device, address in ((self.host, a, self.GATEWAY), (self.inside, b, self.INSIDE)):
            checked(["ip", "-n", name, "addr", "add", f"{address}/24", "dev", device], "ip addr add")
            checked(["ip", "-n", name, "link", "set", device, "up"], "ip link set")
            checked(["ip", "-n", name, "link", "set", "lo", "up"], "ip link set")
        checked(["ip", "-n", self.inside, "route", "add", "default", "via", self.GATEWAY], "ip route add")
        return self

    def __exit__(self, *_):
        for name in (self.host, self.inside):
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    @property
    def network(self):
        return f"ns:/run/netns/{self.inside}"

    def serve(self, command, port):
        """Starts a server on the host side and waits until it accepts."""
        server = subprocess.Popen(["ip", "netns", "exec", self.host, *command], cwd=SCRATCH,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        probe = f"import socket; socket.create_connection(('127.0.0.1', {port}), 1)"
        for _ in range(100):
            done = subprocess.run(["ip", "netns", "exec", self.host, sys.executable, "-c", probe], capture_output=True)
            if done.returncode == 0:
                return server
            time.sleep(0.1)
        server.kill()
        raise EngineError("the server on the host side did not start")
