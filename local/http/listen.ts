import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { CloudError } from '../cloud/cloud-error.ts';

/** Everything the cloud opens is for this machine only. */
export const loopback = '127.0.0.1';

/** Listens on the loopback address and says which port it got (0 asks for any free one). */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)));
    server.listen({ host: loopback, port }, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new CloudError('The server has no port'));
      else resolve(address.port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE') return new CloudError(`Port ${port} is already in use: set PORT to another port`);
  if (error.code === 'EACCES') return new CloudError(`Port ${port} may not be opened: set PORT to another port`);
  return error;
}

/** A port that nobody listens on now, for a child process that must be told its port. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: loopback, port: 0 }, () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new CloudError('No free port was found'));
        else resolve(address.port);
      });
    });
  });
}

/** Ends a server and every connection that is still open, idle or not. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
