import { X509Certificate } from 'node:crypto';
import { countOutcome, log } from '../platform/log.ts';
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

/** Warns before the certificate ends. Every check counts, so the alarm ends with the next certificate. */
export function checkCertificate(account: Pick<AppleAccount, 'certificate'>, nowMs: number): void {
  const daysLeft = certificateDaysLeft(account, nowMs);
  if (daysLeft < 0) log.warn("Apple's certificate of passes has ended", { days_left: daysLeft });
  else if (endsSoon(daysLeft)) log.warn("Apple's certificate of passes ends soon", { days_left: daysLeft });
  countOutcome('check-wallet-certificate', 'CertificateEnding', endsSoon(daysLeft) ? 1 : 0);
}
