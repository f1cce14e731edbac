import { HttpResponseStream, type ResponseStream } from './response-stream.ts';

export interface LambdaContext {
  callbackWaitsForEmptyEventLoop: boolean;
  functionName: string;
  functionVersion: string;
  invokedFunctionArn: string;
  memoryLimitInMB: string;
  awsRequestId: string;
  logGroupName: string;
  logStreamName: string;
  getRemainingTimeInMillis(): number;
}

type BufferedHandler = (event: unknown, context: LambdaContext) => unknown;
type StreamingHandler = (event: unknown, stream: ResponseStream, context: LambdaContext) => unknown;

export type Handler = { kind: 'buffered'; run: BufferedHandler } | { kind: 'streaming'; run: StreamingHandler };

const streamingHandlers = new WeakMap<object, StreamingHandler>();

/** Defines the global `awslambda`. Libraries read it when they are loaded, so this must precede the bundle. */
export function installAwsLambdaGlobal(): void {
  const awslambda = {
    streamifyResponse: (run: StreamingHandler) => {
      // A new function per call, because the same handler may be exported twice, once streamed and once not.
      const streamed = (...args: Parameters<StreamingHandler>) => run(...args);
      streamingHandlers.set(streamed, run);
      return streamed;
    },
    HttpResponseStream,
  };
  Object.defineProperty(globalThis, 'awslambda', { value: awslambda, configurable: true, writable: true });
}

export function handlerOf(exported: unknown, name: string): Handler {
  const found: unknown = typeof exported === 'object' && exported !== null ? Reflect.get(exported, name) : undefined;
  if (typeof found !== 'function') throw new Error(`Runtime.HandlerNotFound: ${name} is undefined or not exported`);
  const streaming = streamingHandlers.get(found);
  if (streaming !== undefined) return { kind: 'streaming', run: streaming };
  return { kind: 'buffered', run: (event, context) => Reflect.apply(found, undefined, [event, context]) };
}
