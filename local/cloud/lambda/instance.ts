import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { compileThreadSource } from '../processes/thread-source.ts';
import type { FunctionDefinition } from './function-definition.ts';
import type { FromInstance, FunctionError, InstanceData, ToInstance } from './runtime/messages.ts';

export interface Invocation {
  requestId: string;
  /** The event as JSON. */
  event: string;
  /** Called when an instance takes the invocation, after any wait. */
  onStart?(): void;
  /** Receives the chunks of a streamed response. The function waits until the promise resolves. */
  onChunk(bytes: Uint8Array): Promise<void> | void;
}

export type Outcome =
  | { kind: 'result'; payload: string }
  /** The handler streamed its response completely to `onChunk`. */
  | { kind: 'streamed' }
  | { kind: 'error'; error: FunctionError };

export interface InstanceOptions {
  definition: FunctionDefinition;
  environment: Record<string, string>;
  clockOffset: SharedArrayBuffer;
  onLog(text: string): void;
}

/** Lambda's time limit for the code outside of the handler. */
const initTimeoutMs = 10_000;

/**
 * Node 24 lets the young generation of each thread grow to 192 MB. Fifty instances would need ten gigabytes for garbage. This is
 * less than any function sets in `NODE_OPTIONS`, which do not apply to threads.
 */
const maxYoungGenerationSizeMb = 6;

/** One execution environment of a function: a thread with its own globals and variables that handles one invocation at a time. */
export class Instance {
  readonly definition: FunctionDefinition;
  /** Whether the instance can handle invocations. False once its thread has ended or is about to end. */
  alive = true;
  /** Whether the init phase has ended well. */
  ready = false;
  readonly #worker: Worker;
  readonly #onLog: (text: string) => void;
  /** The error of the init phase, if it failed. */
  readonly initialized: Promise<Outcome | undefined>;
  #settle: ((outcome: Outcome) => void) | undefined;
  #invocation: Invocation | undefined;
  #delivered: Promise<void> = Promise.resolve();

  constructor({ definition, environment, clockOffset, onLog }: InstanceOptions) {
    const threadSource = compileThreadSource(new URL('./runtime/instance-thread.ts', import.meta.url).href);
    this.definition = definition;
    this.#onLog = onLog;
    const workerData: InstanceData = {
      codeFolder: definition.codeFolder,
      handler: definition.handler,
      functionName: definition.name,
      functionArn: definition.arn,
      memoryLimitMb: String(definition.memoryMb),
      logGroupName: definition.logGroupName,
      clockOffset,
    };
    this.#worker = new Worker(threadSource, {
      eval: true,
      env: environment,
      // The flags of this process, such as a TypeScript loader, must not apply to the function.
      // Node warns about features that the thread loader uses. Only the output of the function matters.
      execArgv: ['--no-warnings'],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: definition.memoryMb, maxYoungGenerationSizeMb },
      workerData,
    });
    for (const stream of [this.#worker.stdout, this.#worker.stderr])
      createInterface({ input: stream }).on('line', onLog);
    this.#worker.on('message', (message: FromInstance) => this.#receive(message));
    this.#worker.on('error', (error) =>
      this.#fail({ errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] }),
    );
    this.#worker.on('exit', (code) =>
      this.#fail({ errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with error: exit status ${code}` }),
    );
    this.initialized = this.#awaitOutcome(initTimeoutMs, 'The init phase').then((outcome) =>
      outcome.kind === 'error' ? outcome : undefined,
    );
  }

  async invoke(invocation: Invocation): Promise<Outcome> {
    const failedInit = await this.initialized;
    if (failedInit !== undefined) {
      await this.terminate();
      return this.#logError(failedInit, invocation);
    }
    const { timeoutMs } = this.definition;
    this.#invocation = invocation;
    const outcome = this.#awaitOutcome(timeoutMs, 'Task');
    this.#post({ kind: 'invoke', requestId: invocation.requestId, event: invocation.event, timeoutMs });
    return this.#logError(await outcome, invocation);
  }

  async terminate(): Promise<void> {
    this.alive = false;
    await this.#worker.terminate();
  }

  /** Resolves when the thread responds, fails, ends or times out. */
  #awaitOutcome(timeoutMs: number, what: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const seconds = (timeoutMs / 1000).toFixed(2);
        this.alive = false;
        this.#settle?.({
          kind: 'error',
          error: { errorType: 'Sandbox.Timedout', errorMessage: `${what} timed out after ${seconds} seconds` },
        });
        // Only terminating the thread ends a loop that never yields.
        void this.#worker.terminate();
      }, timeoutMs);
      this.#settle = (outcome) => {
        clearTimeout(timer);
        this.#settle = undefined;
        this.#invocation = undefined;
        resolve(outcome);
      };
    });
  }

  #receive(message: FromInstance): void {
    switch (message.kind) {
      case 'ready':
        this.ready = true;
        // The init phase succeeded and has no result.
        this.#settle?.({ kind: 'result', payload: '' });
        return;
      case 'result':
        this.#settle?.({ kind: 'result', payload: message.payload });
        return;
      case 'failure':
        this.#settle?.({ kind: 'error', error: message.error });
        return;
      case 'chunk':
        this.#deliver(message.bytes);
        return;
      case 'end':
        void this.#delivered.then(() => this.#settle?.({ kind: 'streamed' }));
        return;
    }
  }

  #deliver(bytes: Uint8Array): void {
    const onChunk = this.#invocation?.onChunk;
    this.#delivered = this.#delivered.then(async () => {
      await onChunk?.(bytes);
      this.#post({ kind: 'acknowledge', bytes: bytes.byteLength });
    });
  }

  #post(message: ToInstance): void {
    this.#worker.postMessage(message);
  }

  #fail(error: FunctionError): void {
    if (this.#settle !== undefined) this.#settle({ kind: 'error', error });
    else if (this.alive) this.#onLog(`Ended between two invocations: ${error.errorType}: ${error.errorMessage}`);
    this.alive = false;
  }

  #logError(outcome: Outcome, { requestId }: Invocation): Outcome {
    if (outcome.kind === 'error') {
      const { errorType, errorMessage, trace } = outcome.error;
      this.#onLog(`RequestId: ${requestId} ${trace?.join('\n') ?? `${errorType}: ${errorMessage}`}`);
    }
    return outcome;
  }
}
