import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { AwsServiceError } from '../http/aws-json-client.ts';
import { eventBusName } from '../iam/messaging-access.ts';
import { localAccountId } from '../template/assembly.ts';
import type { Deliver } from './deliver.ts';
import { type BusEvent, eventTime } from './event.ts';
import type { Rule } from './rules.ts';

const Entry = v.object({
  EventBusName: v.optional(v.string(), ''),
  Source: v.optional(v.string()),
  DetailType: v.optional(v.string()),
  Detail: v.optional(v.string()),
  Resources: v.optional(v.array(v.string()), []),
  Time: v.optional(v.number()),
});

const PutEvents = v.object({ Entries: v.array(Entry) });

type Entry = v.InferOutput<typeof Entry>;
type EntryResult = { EventId: string } | { ErrorCode: string; ErrorMessage: string };

const entryLimit = 10;
const sizeLimitBytes = 256 * 1024;

export interface EventBridgeOptions {
  rules: readonly Rule[];
  busNames: ReadonlySet<string>;
  deliver: Deliver;
  region: string;
  now(): number;
}

/** EventBridge's PutEvents: accepts events and passes them to every matching rule of the bus. */
export function createEventBridge(options: EventBridgeOptions) {
  async function put(entry: Entry): Promise<EntryResult> {
    const problem = entryProblem(entry, options.busNames);
    if (problem !== undefined) return problem;
    const nowMs = options.now();
    const event: BusEvent = {
      version: '0',
      id: randomUUID(),
      'detail-type': entry.DetailType ?? '',
      source: entry.Source ?? '',
      account: localAccountId,
      time: eventTime(entry.Time === undefined ? nowMs : entry.Time * 1000),
      region: options.region,
      resources: entry.Resources,
      detail: JSON.parse(entry.Detail ?? '{}'),
    };
    const busName = eventBusName(entry.EventBusName);
    const matching = options.rules.filter((rule) => rule.busName === busName && rule.matches?.(event));
    await Promise.all(matching.map((rule) => options.deliver(rule, event)));
    return { EventId: event.id };
  }

  return async (operation: string, input: Record<string, unknown>): Promise<unknown> => {
    if (operation !== 'PutEvents') {
      throw new AwsServiceError(
        'UnknownOperationException',
        `The local cloud does not support ${operation} of EventBridge`,
      );
    }
    const parsed = v.safeParse(PutEvents, input);
    if (!parsed.success) throw new AwsServiceError('ValidationException', parsed.issues[0].message);
    const { Entries } = parsed.output;
    if (Entries.length === 0 || Entries.length > entryLimit) {
      throw new AwsServiceError(
        'ValidationException',
        `1 validation error detected: Entries must have between 1 and ${entryLimit} members`,
      );
    }
    if (Entries.reduce((total, entry) => total + entrySize(entry), 0) > sizeLimitBytes) {
      throw new AwsServiceError('ValidationException', 'Total size of the entries in the request is over the limit.');
    }
    const results = await Promise.all(Entries.map(put));
    return { FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length, Entries: results };
  };
}

/** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
function entrySize({ Time, Source, DetailType, Detail, Resources }: Entry): number {
  const texts = [Source ?? '', DetailType ?? '', Detail ?? '', ...Resources];
  return texts.reduce((total, text) => total + Buffer.byteLength(text), Time === undefined ? 0 : 14);
}

function entryProblem(entry: Entry, busNames: ReadonlySet<string>): EntryResult | undefined {
  const invalid = (ErrorMessage: string, ErrorCode = 'InvalidArgument') => ({ ErrorCode, ErrorMessage });
  if (!entry.Source) return invalid('Parameter Source is not valid. Reason: Source is a required argument.');
  if (!entry.DetailType)
    return invalid('Parameter DetailType is not valid. Reason: DetailType is a required argument.');
  if (!entry.Detail) return invalid('Parameter Detail is not valid. Reason: Detail is a required argument.');
  if (entry.Source.startsWith('aws.'))
    return invalid('Not authorized for the source.', 'NotAuthorizedForSourceException');
  if (!isJsonObject(entry.Detail)) return invalid('Detail is malformed.', 'MalformedDetail');
  const busName = eventBusName(entry.EventBusName);
  if (!busNames.has(busName)) return invalid(`Event bus ${busName} does not exist.`, 'ResourceNotFoundException');
  return undefined;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
