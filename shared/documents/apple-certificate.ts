import { X509Certificate } from 'node:crypto';
import type { AppleAccount } from './apple-account.ts';

const dayMs = 86_400_000;

/** Apple renews no certificate by itself, and a phone refuses a pass of an ended one without a word. */
const warnDays = 60;

/** The whole days until the certificate that signs passes ends; negative after its end. */
export function certificateDaysLeft({ certificate }: Pick<AppleAccount, 'certificate'>, nowMs: number): number {
  return Math.floor((new X509Certificate(certificate).validToDate.getTime() - nowMs) / dayMs);
}

/** Whether it is time to renew the certificate. */
export const endsSoon = (daysLeft: number): boolean => daysLeft < warnDays;
