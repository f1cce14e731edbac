import { createServer, type Server } from 'node:http';
import { readBody } from '../../http/read-body.ts';
import type { ModelDatabase } from './database.ts';

/** Serves models over HTTP, as DynamoDB does, for programs that know only its address. */
export function createModelServer(database: ModelDatabase): Server {
  return createServer(async (request, response) => {
    const body = await readBody(request);
    const answer = database.call(String(request.headers['x-amz-target']), String(body));
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer.body);
  });
}
