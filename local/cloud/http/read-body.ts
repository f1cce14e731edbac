import type { IncomingMessage } from 'node:http';

const empty = Buffer.alloc(0);

/**
 * Reads a message to its end, or returns `undefined` as soon as it exceeds the limit; Node then discards the rest. Listeners
 * take a fraction of the CPU time of an asynchronous iterator, and this runs for every request and every call of a function.
 */
export function readBody(message: IncomingMessage, limitBytes = Number.POSITIVE_INFINITY): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined;
    let rest: Buffer[] | undefined;
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) {
        message.off('data', onData);
        message.resume();
        resolve(undefined);
        return;
      }
      if (first === undefined) first = chunk;
      else if (rest === undefined) rest = [first, chunk];
      else rest.push(chunk);
    };
    message.on('data', onData);
    message.once('error', reject);
    // A connection that breaks closes the message without an end.
    message.once('close', () => {
      if (!message.readableEnded) reject(new Error('The connection was closed before the end of the message'));
    });
    message.once('end', () => resolve(rest === undefined ? (first ?? empty) : Buffer.concat(rest)));
  });
}
