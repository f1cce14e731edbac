import type { Operation } from '../operations/operation.ts';
import type { Json } from './components.ts';
import recorded from './recorded-calls.json' with { type: 'json' };

/** A call on the demo data and its response. `npm run openapi:record` writes them, and a test compares them with the service. */
export interface RecordedCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly response: Json;
}

const calls: Readonly<Record<string, RecordedCall | undefined>> = recorded.operations;
const events: Readonly<Record<string, Json | undefined>> = recorded.webhooks;

/** The recorded call of an operation; undefined for one that is not recorded yet. */
export const recordedCall = ({ id }: Operation): RecordedCall | undefined => calls[id];

/** The recorded event of a type. */
export const recordedEvent = (type: string): Json | undefined => events[type];

/** Nothing where there is no example. */
export const exampleOf = (value: unknown): Json => (value === undefined ? {} : { example: value });
