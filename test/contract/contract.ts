import * as v from 'valibot';
import { expect } from 'vitest';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import { needsFanToken, type Operation } from '../../shared/operations/operation.ts';
import { fanToken } from '../../tools/fixtures/contract/contract-fixture.ts';
import {
  bodyOf,
  formOf,
  formType,
  paramsOf,
  pathOf,
  prepare,
  queryOf,
} from '../../tools/fixtures/contract/examples.ts';
import { expectDocumented } from '../support/documented-response.ts';
import { probe } from '../support/probe-operation.ts';
import type { CallOptions, Service, ServiceResponse } from '../support/service.ts';
import { isThorough, itIf } from '../support/thorough.ts';
import { expectHeaders } from './expectations.ts';

/** The caller's organisation, and the other organisation whose objects it must not reach. */
export const [mine, theirs] = ['org_mine', 'org_theirs'] as const;

export interface Request extends CallOptions {
  /** The organisation whose objects the path and the body name. */
  readonly orgId?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly path?: string;
}

/** Below the limit of a key per minute. */
const requestsPerMinute = 100;

/** Sends the requests that every operation must handle. */
export class Contract {
  readonly service: Service;
  readonly key: string;
  #sent = 0;

  constructor(service: Service, key: string) {
    this.service = service;
    this.key = key;
  }

  async nextMinute(): Promise<void> {
    await this.service.nextMinute(mine);
  }

  /** Sends a request that succeeds unless the test changes it, and checks the response against the OpenAPI document. No request reaches the rate limit. */
  async send(operation: Operation, change: Request = {}): Promise<ServiceResponse> {
    this.#sent += 1;
    if (this.#sent % requestsPerMinute === 0) await this.nextMinute();
    const { orgId = mine, params, query = {}, form, path = operation.paths[0], ...rest } = change;
    await prepare(operation, this.service.table, orgId);
    const search = new URLSearchParams({ ...queryOf(operation), ...query }).toString();
    const encoded = formOf({ ...bodyOf(operation, orgId), ...form });
    const response = await this.service.call(
      pathOf(path, params ?? paramsOf(operation, orgId)) + (search === '' ? '' : `?${search}`),
      {
        method: operation.method,
        key: operation.auth.kind === 'public' ? undefined : this.key,
        ...(encoded !== '' && { body: encoded }),
        ...rest,
        headers: {
          ...(needsFanToken(operation) && { 'X-SSO-Token': fanToken }),
          ...(rest.headers ?? (encoded === '' ? {} : formType)),
        },
      },
    );
    // No request of a client, however wrong, may fail the service.
    expect(response.status, `${operation.id}: ${JSON.stringify(response.body)}`).toBeLessThan(500);
    if (rest.method === undefined) expectDocumented(operation, path, response);
    return response;
  }
}

const sampled = new Set<string>();

/** Whether `npm test` proves it with this operation: with the probe, and with the first one of each method and kind of key. */
function isSample({ id, method, auth }: Operation, what: string): boolean {
  const kind = `${method} ${auth.kind}: ${what}`;
  const isFirst = !sampled.has(kind);
  sampled.add(kind);
  return isThorough || id === probe.id || isFirst;
}

/** A test of what API Gateway or the pipeline alone decides, for all operations: `npm test` samples it, `npm run test:faults` runs all. */
export function pipelineTest(operation: Operation, title: string, run: () => Promise<void>): void {
  itIf(isSample(operation, title))(title, run);
}

/** The values of an operation that the pipeline alone decides about, where they are sampled. */
export const refusals = <Shape>(operation: Operation, what: string, all: readonly Shape[]): readonly Shape[] =>
  all.length > 0 && isSample(operation, what) ? shapes(operation, all, 1) : [];

/**
 * The probe gets every shape of what the pipeline alone decides. Every other operation gets a few, which prove that it runs
 * behind the pipeline: others than its neighbours get, and the same in every run.
 */
export function shapes<Shape>(operation: Operation, all: readonly Shape[], few: number): readonly Shape[] {
  if (isThorough || operation.id === probe.id || few >= all.length) return all;
  const first = letterSum(operation.id) % all.length;
  return [...all, ...all].slice(first, first + few);
}

const letterSum = (text: string): number => [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);

/** The contract exists when tests run, not yet when they are declared. */
export type ContractGetter = () => Contract;

export function expectProblem(
  response: ServiceResponse,
  status: number,
  code: string,
  param: string | null = null,
): void {
  expect(response.body).toMatchObject({ error: { code, param } });
  expect(response.status).toBe(status);
  expect(v.safeParse(ErrorEnvelope, response.body).success).toBe(true);
  expect(response.body).toMatchObject({ error: { request_id: response.headers.get('Request-Id') } });
  expectHeaders(response);
}
