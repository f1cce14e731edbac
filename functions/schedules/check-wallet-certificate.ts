import { appleAccount } from '../../shared/documents/apple-account.ts';
import { certificateDaysLeft } from '../../shared/documents/apple-certificate.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { countOutcome, log } from '../../shared/platform/log.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';

/** Apple renews no certificate by itself, and a phone refuses a pass of an ended one without a word. */
const warnDays = 60;

export const handler = scheduleWorker(async () => {
  const account = await appleAccount();
  if (account === undefined) return;
  const daysLeft = certificateDaysLeft(account, systemClock.nowMs());
  if (daysLeft < warnDays) log.warn("Apple's certificate of passes ends soon", { days_left: daysLeft });
  countOutcome('check-wallet-certificate', 'CertificateEnding', daysLeft < warnDays ? 1 : 0);
});
