import { appleAccount } from '../../shared/documents/apple-account.ts';
import { certificateDaysLeft, endsSoon } from '../../shared/documents/apple-certificate.ts';
import { systemClock } from '../../shared/platform/clock.ts';
import { countOutcome, log } from '../../shared/platform/log.ts';
import { scheduleWorker } from '../../shared/workers/batches.ts';

export const handler = scheduleWorker(async () => {
  const account = await appleAccount();
  if (account === undefined) return;
  const daysLeft = certificateDaysLeft(account, systemClock.nowMs());
  if (daysLeft < 0) log.warn("Apple's certificate of passes has ended", { days_left: daysLeft });
  else if (endsSoon(daysLeft)) log.warn("Apple's certificate of passes ends soon", { days_left: daysLeft });
  countOutcome('check-wallet-certificate', 'CertificateEnding', endsSoon(daysLeft) ? 1 : 0);
});
