import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { isWarmCall } from '../platform/warm-call.ts';
import { type RouteRequest, type RouteResponse, respond } from './route.ts';

/** What Lambda's runtime offers for responses that are sent as they are, without base64. */
declare const awslambda: {
  streamifyResponse(
    handler: (event: APIGatewayProxyEvent, stream: NodeJS.WritableStream, context: Context) => Promise<void>,
  ): unknown;
  HttpResponseStream: {
    from(stream: NodeJS.WritableStream, head: { statusCode: number; headers: object }): NodeJS.WritableStream;
  };
};

/** Handles requests to a route whose responses are files. */
export function fileRouteWorker(handle: (request: RouteRequest) => Promise<RouteResponse<string | Uint8Array>>) {
  return awslambda.streamifyResponse(async (event, stream, context) => {
    if (isWarmCall(event)) {
      stream.end();
      return;
    }
    const { status, headers, body } = await respond(event, context, handle);
    awslambda.HttpResponseStream.from(stream, { statusCode: status, headers }).end(body);
  });
}
