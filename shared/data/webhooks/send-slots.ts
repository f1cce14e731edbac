import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { rateAt } from '../../domain/webhooks/circuit.ts';
import { defaultRatePerSecond } from '../../domain/webhooks/endpoint.ts';
import type { Clock } from '../../platform/clock.ts';
import { isConditionFailure } from '../table/failures.ts';
import { retryRaces } from '../table/retry.ts';
import type { Table } from '../table/table.ts';
import type { SendSettings } from './endpoint-row.ts';
import { updateEndpointState } from './endpoint-state.ts';
import { type EndpointRef, type EndpointState, parseEndpointState } from './endpoint-state-row.ts';

/** How many directly sent deliveries may wait for a slow response of one endpoint. They occupy functions. */
const maxUnanswered = 5;
/** A delivery waits at most this long for its send slot. If the slot is later, the delivery goes to the backlog. */
const maxWaitMs = 1_000;
/** No attempt takes this long: what is counted as unanswered after this time was lost with its function. */
const attemptLifetimeMs = 60_000;

/** The time between two deliveries, in microseconds: in milliseconds, all rates from 334 to 499 a second would be 333. */
export function sendIntervalMs(state: EndpointState, ratePerSecond: number, nowMs: number): number {
  return Math.ceil(1_000_000 / rateAt(state, ratePerSecond, nowMs)) / 1000;
}

export interface WantedSlots {
  readonly clock: Clock;
  readonly count: number;
}

interface Pace {
  readonly nowMs: number;
  readonly intervalMs: number;
  readonly count: number;
  /** What else must be true of the state. */
  readonly condition?: Condition;
}

interface Condition {
  readonly text: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface TakenSlots {
  /** When each delivery may start; fewer than wanted if there are not as many slots. */
  readonly startsMs: readonly number[];
  /** The current state of the endpoint. */
  readonly state: EndpointState;
}

/** Takes the next send slot at a known pace. */
export function takeSendSlot(
  table: Table,
  ref: EndpointRef,
  known: EndpointState,
  { clock, intervalMs }: { readonly clock: Clock; readonly intervalMs: number },
): Promise<TakenSlots> {
  return takeSlots(table, ref, known, () => ({ nowMs: clock.nowMs(), intervalMs, count: 1 }));
}

/**
 * Takes several send slots of an enabled endpoint, and reads its settings with the same call. `lastSeen` is what this instance
 * has last read, if anything: the write is on the condition that the rate is still the same.
 */
export function takeSendSlots(
  table: Table,
  ref: EndpointRef,
  lastSeen: EndpointState | undefined,
  { clock, count }: WantedSlots,
): Promise<TakenSlots> {
  return takeSlots(table, ref, assumedState(lastSeen, clock.nowMs()), (state) => {
    const nowMs = clock.nowMs();
    const { settings, recoveredMs } = state;
    if (settings?.status !== 'enabled') return undefined;
    const { ratePerSecond } = settings;
    return {
      nowMs,
      count,
      intervalMs: sendIntervalMs(state, ratePerSecond, nowMs),
      condition: {
        text: 'settings.ratePerSecond = :rate AND settings.#status = :enabled AND (attribute_not_exists(recoveredMs) OR recoveredMs = :recovered)',
        names: { '#status': 'status' },
        values: { ':rate': ratePerSecond, ':enabled': 'enabled', ':recovered': recoveredMs },
      },
    };
  });
}

const assumedSettings: SendSettings = {
  url: '',
  ratePerSecond: defaultRatePerSecond,
  status: 'enabled',
  secret: '',
  formerSecret: null,
  formerUntilUnix: 0,
  olderSecrets: [],
  version: 0,
};

/** Assumes that what prevented sending has ended: only the table knows. */
function assumedState(lastSeen: EndpointState | undefined, nowMs: number): EndpointState {
  const state = lastSeen ?? parseEndpointState(undefined);
  const freeMs = state.freeMs > nowMs + maxWaitMs ? 0 : state.freeMs;
  const settings = { ...(state.settings ?? assumedSettings), status: 'enabled' as const };
  return { ...state, freeMs, held: false, unanswered: 0, settings };
}

/**
 * A slot is the time at which a delivery may start. All workers that send to an endpoint take their slots here, so
 * together they keep to its rate. Taking slots is one atomic addition, so workers do not conflict. Each attempt looks at the
 * clock: slots that are over when they are taken would be used all at once.
 */
async function takeSlots(
  table: Table,
  ref: EndpointRef,
  known: EndpointState,
  paceOf: (state: EndpointState) => Pace | undefined,
): Promise<TakenSlots> {
  let state = known;
  return retryRaces('send slots of a webhook endpoint', async (): Promise<TakenSlots | undefined> => {
    const pace = paceOf(state);
    const slots = pace && freeSlots(state, pace);
    if (slots === undefined) return { startsMs: [], state };
    try {
      const { Attributes } = await updateEndpointState(table, ref, {
        ...slotsUpdate(state, slots),
        ReturnValues: 'ALL_NEW',
      });
      const taken = parseEndpointState(Attributes);
      const { count, intervalMs } = slots;
      const startsMs = Array.from({ length: count }, (_, index) => taken.freeMs - (count - index) * intervalMs);
      return { startsMs, state: taken };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      // The next attempt uses the state that the refusal contains.
      state = parseEndpointState(error.Item && unmarshall(error.Item));
      return undefined;
    }
  });
}

/** As many slots as begin soon enough; undefined if there are none. */
function freeSlots(state: EndpointState, pace: Pace): Pace | undefined {
  const { nowMs, intervalMs, count } = pace;
  const areAllLost = state.freeMs < nowMs - attemptLifetimeMs;
  if (state.held || (state.unanswered >= maxUnanswered && !areAllLost)) return undefined;
  const waitMs = Math.max(0, state.freeMs - nowMs);
  if (waitMs > maxWaitMs) return undefined;
  return { ...pace, count: Math.min(count, 1 + Math.floor((maxWaitMs - waitMs) / intervalMs)) };
}

const notHeld = '(attribute_not_exists(held) OR held = :false)';
const fewUnanswered = '(attribute_not_exists(unanswered) OR unanswered < :most)';

function slotsUpdate(state: EndpointState, { nowMs, intervalMs, count, condition }: Pace) {
  const { set, when, values } = slotsExpressions(state, { nowMs, intervalMs, count });
  return {
    UpdateExpression: `SET ${set}`,
    ConditionExpression: [notHeld, when, ...(condition ? [condition.text] : [])].join(' AND '),
    ...(condition && { ExpressionAttributeNames: condition.names }),
    ExpressionAttributeValues: { ':false': false, ...values, ...condition?.values },
  };
}

function slotsExpressions(state: EndpointState, { nowMs, intervalMs, count }: Pace) {
  const spanMs = count * intervalMs;
  if (state.freeMs >= nowMs) {
    const latestMs = nowMs + maxWaitMs - spanMs + intervalMs;
    return {
      set: 'freeMs = freeMs + :span',
      when: `freeMs BETWEEN :now AND :latest AND ${fewUnanswered}`,
      values: { ':span': spanMs, ':now': nowMs, ':latest': Math.max(nowMs, latestMs), ':most': maxUnanswered },
    };
  }
  if (state.unanswered >= maxUnanswered) {
    return {
      set: 'freeMs = :next, unanswered = :none',
      when: 'freeMs < :lost',
      values: { ':next': nowMs + spanMs, ':none': 0, ':lost': nowMs - attemptLifetimeMs },
    };
  }
  return {
    set: 'freeMs = :next',
    when: `(attribute_not_exists(freeMs) OR freeMs < :now) AND ${fewUnanswered}`,
    values: { ':next': nowMs + spanMs, ':now': nowMs, ':most': maxUnanswered },
  };
}

/** Counts a directly sent delivery whose response takes longer than usual; `change` is -1 when it has ended. */
export async function countUnanswered(table: Table, ref: EndpointRef, change: 1 | -1): Promise<void> {
  try {
    await updateEndpointState(table, ref, {
      UpdateExpression: 'ADD unanswered :change',
      // Not below zero, and no new item for an endpoint that was deleted.
      ConditionExpression: change === 1 ? 'attribute_exists(pk)' : 'unanswered > :none',
      ExpressionAttributeValues: { ':change': change, ...(change === -1 && { ':none': 0 }) },
    });
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
  }
}
