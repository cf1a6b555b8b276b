// Loaded before a server that listens on every interface: it listens on the loopback
// address instead.
import net from 'node:net';

const { listen } = net.Server.prototype;

net.Server.prototype.listen = function (...given) {
  const [port, second] = given;
  const isPort = typeof port === 'number' || typeof port === 'string';
  if (isPort && typeof second !== 'string') given.splice(1, 0, '127.0.0.1');
  return listen.apply(this, given);
};
