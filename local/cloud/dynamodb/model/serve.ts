import { createServer } from 'node:http';
import { closeServer, listen, loopback } from '../../http/listen.ts';
import { readBody } from '../../http/read-body.ts';
import type { DynamoDbLocal } from '../dynamodb-local.ts';
import { ModelDatabase } from './database.ts';

/** A database in the memory of this process, which takes the place of DynamoDB Local. */
export async function startModelDatabase(database = new ModelDatabase()): Promise<DynamoDbLocal> {
  const server = createServer({ keepAliveTimeout: 600_000 }, async (request, response) => {
    const body = await readBody(request);
    try {
      const answer = database.request(String(request.headers['x-amz-target']), String(body));
      response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer.body);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const port = await listen(server, 0);
  const answer = (target: string, body: string) => database.request(target, body);
  return { endpoint: `http://${loopback}:${port}`, answer, stop: () => closeServer(server) };
}
