import * as v from 'valibot';
import { expect } from 'vitest';
import { ErrorEnvelope } from '../../shared/operations/error-envelope.ts';
import type { Operation } from '../../shared/operations/operation.ts';
import { probe } from '../support/probe-operation.ts';
import type { Answer, CallOptions, Service } from '../support/service.ts';
import { fanToken } from './contract-fixture.ts';
import { bodyOf, formOf, paramsOf, pathOf, prepare, queryOf } from './examples.ts';
import { expectHeaders } from './expectations.ts';

/** Whose key is used, and whose things it must not reach. */
export const [mine, theirs] = ['org_mine', 'org_theirs'] as const;

export interface Request extends CallOptions {
  /** Whose things are named in path and body. */
  readonly orgId?: string;
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly path?: string;
}

/** Fewer than a key may send in a minute. */
const requestsPerMinute = 100;

/** Sends the requests that every operation is held to. */
export class Contract {
  readonly service: Service;
  readonly key: string;
  private sent = 0;

  constructor(service: Service, key: string) {
    this.service = service;
    this.key = key;
  }

  nextMinute(): void {
    this.service.cloud.clock.advance(60);
  }

  /** A request that succeeds, but for what a test changes in it. None is limited. */
  async send(operation: Operation, change: Request = {}): Promise<Answer> {
    this.sent += 1;
    if (this.sent % requestsPerMinute === 0) this.nextMinute();
    const { orgId = mine, params, query = {}, form, path = operation.paths[0], ...rest } = change;
    await prepare(operation, this.service.table, orgId);
    const search = new URLSearchParams({ ...queryOf(operation), ...query }).toString();
    const encoded = formOf({ ...bodyOf(operation, orgId), ...form });
    return this.service.call(pathOf(path, params ?? paramsOf(operation, orgId)) + (search === '' ? '' : `?${search}`), {
      method: operation.method,
      key: operation.auth.kind === 'public' ? undefined : this.key,
      ...(encoded !== '' && { body: encoded, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }),
      ...rest,
      ...(operation.auth.ssoUser && { headers: { 'X-SSO-Token': fanToken, ...rest.headers } }),
    });
  }
}

/**
 * What the pipeline alone decides is tried in every shape on the probe, and on each operation in the first few: that it has the
 * pipeline before it is what can go wrong there.
 */
export function shapes(operation: Operation, all: readonly string[], few: number): readonly string[] {
  return operation.id === probe.id ? all : all.slice(0, few);
}

/** The contract is there when tests run, not yet when they are described. */
export type TheContract = () => Contract;

export function expectProblem(answer: Answer, status: number, code: string, param: string | null = null): void {
  expect(answer.body).toMatchObject({ error: { code, param } });
  expect(answer.status).toBe(status);
  expect(v.safeParse(ErrorEnvelope, answer.body).success).toBe(true);
  expect(answer.body).toMatchObject({ error: { request_id: answer.headers.get('Request-Id') } });
  expectHeaders(answer);
}
