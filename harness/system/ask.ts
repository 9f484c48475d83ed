/*
 * `node ask.ts LIMIT_MS ADDRESS:PORT:tls|clear...`: asks each server something that only its program can answer, not the
 * kernel, which takes connections for a program that is stopped, too. Prints those that say nothing in time.
 */
import { connect as connectClear, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

const [limitMs, ...places] = process.argv.slice(2);

function answers(place: string): Promise<boolean> {
  const [host = '', port, kind] = place.split(':');
  return new Promise((resolve) => {
    const how = { host, port: Number(port) };
    let socket: Socket;
    if (kind === 'tls') {
      // A handshake is an answer, and so is its refusal.
      socket = connectTls({ ...how, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] }, () =>
        resolve(true),
      );
    } else {
      socket = connectClear(how, () => socket.write('GET / HTTP/1.0\r\nHost: photofinish.test\r\n\r\n'));
      socket.once('data', () => resolve(true));
    }
    socket.once('close', () => resolve(true));
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED' && code !== 'ETIMEDOUT'));
    setTimeout(() => resolve(false), Number(limitMs));
  });
}

const heard = await Promise.all(places.map(answers));
process.stdout.write(places.filter((_, index) => !heard[index]).join('\n'));
process.exit(0);
