/** The thread of one Lambda instance: loads the code of the function, then handles one invocation after another. */
import { finished } from 'node:stream/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { installShiftedDate } from '../../clock/shifted-date.ts';
import { loadHandlerModule, saveCompiledCode } from './code-loader.ts';
import { type Handler, handlerOf, installAwsLambdaGlobal, type LambdaContext } from './handler.ts';
import type { FromInstance, FunctionError, InstanceData, InvokeMessage, ToInstance } from './messages.ts';
import { ResponseStream } from './response-stream.ts';

const data: InstanceData = workerData;
const logStreamName = `local/[$LATEST]${crypto.randomUUID().replaceAll('-', '')}`;
let currentStream: ResponseStream | undefined;

const send = (message: FromInstance) => parentPort?.postMessage(message);

function start(): void {
  process.env.AWS_LAMBDA_LOG_STREAM_NAME = logStreamName;
  installShiftedDate(new BigInt64Array(data.clockOffset));
  installAwsLambdaGlobal();
  let handler: Handler;
  try {
    const separator = data.handler.lastIndexOf('.');
    const module = loadHandlerModule(data.codeFolder, data.handler.slice(0, separator));
    handler = handlerOf(module, data.handler.slice(separator + 1));
  } catch (error) {
    send({ kind: 'failure', error: describe(error) });
    return;
  }
  parentPort?.on('message', (message: ToInstance) => {
    if (message.kind === 'acknowledge') currentStream?.acknowledge(message.bytes);
    else void serve(handler, message);
  });
  send({ kind: 'ready' });
}

async function serve(handler: Handler, message: InvokeMessage): Promise<void> {
  try {
    const event: unknown = JSON.parse(message.event);
    if (handler.kind === 'buffered') {
      const result = await handler.run(event, contextOf(message));
      send({ kind: 'result', payload: JSON.stringify(result) ?? 'null' });
      return;
    }
    await stream(handler, event, contextOf(message));
  } catch (error) {
    send({ kind: 'failure', error: describe(error) });
  } finally {
    currentStream = undefined;
    saveCompiledCode();
  }
}

async function stream(handler: Handler & { kind: 'streaming' }, event: unknown, context: LambdaContext): Promise<void> {
  const responseStream = new ResponseStream((bytes) => send({ kind: 'chunk', bytes }));
  currentStream = responseStream;
  // Without a listener, a stream that is destroyed with an error would crash the instance instead of failing the invocation.
  const written = finished(responseStream);
  written.catch(() => {});
  await handler.run(event, responseStream, context);
  await written;
  send({ kind: 'end' });
}

function contextOf(message: InvokeMessage): LambdaContext {
  const startedAt = performance.now();
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: data.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: data.functionArn,
    memoryLimitInMB: data.memoryLimitMb,
    awsRequestId: message.requestId,
    logGroupName: data.logGroupName,
    logStreamName,
    getRemainingTimeInMillis: () => Math.max(0, Math.floor(message.timeoutMs - (performance.now() - startedAt))),
  };
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: 'Error', errorMessage: String(error) };
  const [, type, message] = error.message.match(/^(Runtime\.\w+): (.*)$/s) ?? [undefined, error.name, error.message];
  return {
    errorType: type ?? error.name,
    errorMessage: message ?? error.message,
    trace: error.stack?.split('\n') ?? [],
  };
}

start();
