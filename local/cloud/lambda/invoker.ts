import { randomUUID } from 'node:crypto';
import type { FunctionDefinition } from './function-definition.ts';
import type { Outcome } from './instance.ts';
import type { Pool } from './pool.ts';

/** Lambda's limit for a request or a buffered response: 6 MB plus a margin for the envelope. */
const payloadLimitBytes = 6 * 1024 * 1024 + 100;

/** The event exceeds Lambda's limit and is not passed to the function. */
export class RequestTooLargeError extends Error {}

export interface InvokeOptions {
  requestId?: string;
  onStart?(): void;
  /** Set if the caller reads the response as a stream. Otherwise a streamed response is buffered. */
  onChunk?(bytes: Uint8Array): Promise<void> | void;
}

/** Invokes functions like Lambda's Invoke and InvokeWithResponseStream, with their limits. */
export class Invoker {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** How long the next waiting invocation of a function waits already, in milliseconds. */
  waitingMs(definition: FunctionDefinition): number {
    return this.#pool.waitingMs(definition);
  }

  async invoke(definition: FunctionDefinition, event: unknown, options: InvokeOptions = {}): Promise<Outcome> {
    const text = JSON.stringify(event ?? null);
    if (Buffer.byteLength(text) > payloadLimitBytes) {
      throw new RequestTooLargeError(`The event is larger than ${payloadLimitBytes} bytes`);
    }
    const gathered: Uint8Array[] = [];
    const outcome = await this.#pool.run(definition, {
      requestId: options.requestId ?? randomUUID(),
      event: text,
      ...(options.onStart && { onStart: options.onStart }),
      onChunk: options.onChunk ?? ((bytes) => void gathered.push(bytes)),
    });
    if (outcome.kind === 'result') return limited(outcome);
    if (outcome.kind === 'streamed' && options.onChunk === undefined) {
      return limited({ kind: 'result', payload: Buffer.concat(gathered).toString('utf8') });
    }
    return outcome;
  }
}

function limited(outcome: Outcome & { kind: 'result' }): Outcome {
  if (Buffer.byteLength(outcome.payload) <= payloadLimitBytes) return outcome;
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`;
  return { kind: 'error', error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } };
}
