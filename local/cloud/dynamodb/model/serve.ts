import { createServer, type IncomingMessage, type Server } from 'node:http';
import { closeServer, listen, loopback } from '../../http/listen.ts';
import { readBody } from '../../http/read-body.ts';
import type { DynamoDbLocal } from '../dynamodb-local.ts';
import { ModelDatabase, type WireResponse } from './database.ts';

/** A database in the memory of this process, which takes the place of DynamoDB Local. */
export async function startModelDatabase(database = new ModelDatabase()): Promise<DynamoDbLocal> {
  const server = createModelServer(database);
  const port = await listen(server, 0);
  return { endpoint: `http://${loopback}:${port}`, stop: () => closeServer(server) };
}

function createModelServer(database: ModelDatabase): Server {
  return createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    respond(database, request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
}

async function respond(database: ModelDatabase, request: IncomingMessage): Promise<WireResponse> {
  const body = String((await readBody(request)) ?? '');
  return database.request(String(request.headers['x-amz-target']), body);
}
