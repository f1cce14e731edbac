import type { Table } from '../../../shared/data/table/table.ts';
import type { Handle } from '../../../shared/http/pipeline.ts';
import { Problem } from '../../../shared/http/problem.ts';
import type { Operation } from '../../../shared/operations/operation.ts';
import type { CheckoutDeps } from '../../../shared/sales/deps.ts';
import { callHandler, type SentInput } from '../call-handler.ts';
import type { Club } from './club.ts';

/** Where a step happens: its club, the process that carries it out, and what is chosen for it. */
export interface Scene {
  readonly club: Club;
  /** The process may crash at any call, and its provider may refuse, or not answer. */
  readonly deps: CheckoutDeps;
  /** The table as the provider and an onlooker see it, who do not crash with the process. */
  readonly outside: Table;
  /** One of these, by the seed of the step; undefined if there is none. */
  readonly choose: Choose;
}

export interface Choose {
  <One>(from: readonly [One, ...One[]]): One;
  <One>(from: readonly One[]): One | undefined;
}

/** Something that people, the office or workers do. Says in a word what came of it. */
export interface Step {
  /** How often it happens, compared with others. */
  readonly weight: number;
  readonly run: (scene: Scene) => Promise<string>;
}
export type Steps = Readonly<Record<string, Step>>;

/** Nothing to do: the season has no such thing yet. */
export const nothing = 'nothing to do';

type Fields = Readonly<Record<string, unknown>>;

/** Calls an operation as the club's server does. A refusal is its code. */
export async function call<O extends Operation>(
  { club: { orgId }, deps: { table, clock } }: Scene,
  operation: O,
  handle: Handle<O>,
  input: SentInput,
): Promise<Fields | string> {
  const scopes = ['catalogue:write', 'orders:write', 'members:write', 'counter'] as const;
  try {
    return await callHandler(operation, handle, input, { table, orgId, nowMs: clock.nowMs(), scopes });
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

/** What came of a call, for the history. */
export const outcomeOf = (answer: Fields | string): string => (typeof answer === 'string' ? answer : 'done');
