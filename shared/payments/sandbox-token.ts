import { timingSafeEqual } from 'node:crypto';
import type { Table } from '../data/table/table.ts';
import { findCharge, type SandboxCharge, setStatus } from './sandbox-charges.ts';

/** The token in the address of the sandbox's page: the charge, and 192 random bits. */
export function actionToken({ orgId, chargeId, secret }: Pick<SandboxCharge, 'orgId' | 'chargeId' | 'secret'>): string {
  return [orgId, chargeId, secret].join('~');
}

/** The payment that a token belongs to; undefined for any other text. */
export async function readSandboxPayment(table: Table, token: string): Promise<SandboxCharge | undefined> {
  const [orgId = '', chargeId = '', secret = '', ...rest] = token.split('~');
  if (orgId === '' || chargeId === '' || secret === '' || rest.length > 0) return undefined;
  const charge = await findCharge(table, { orgId, chargeId });
  return charge !== undefined && isSame(charge.secret, secret) ? charge : undefined;
}

function isSame(known: string, sent: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(sent)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The buyer approves the payment or lets it fail. A payment that was decided before keeps its outcome. */
export function decideSandboxPayment(
  table: Table,
  charge: SandboxCharge,
  decision: 'approve' | 'fail',
): Promise<SandboxCharge> {
  // Only a payment that waits for the buyer: a card that needs no approval cannot be approved.
  return charge.status === 'requires_action'
    ? setStatus(table, charge, decision === 'approve' ? 'paid' : 'declined')
    : Promise.resolve(charge);
}
