import { type Problem, problem } from '../../problem.ts';

/** The stage has nothing that signs passes of this wallet. */
export function walletNotConfigured(wallet: 'Apple' | 'Google'): Problem {
  const missing = wallet === 'Apple' ? 'certificate' : 'account';
  return problem(
    'wallet_not_configured',
    `The service cannot sign passes of ${wallet} Wallet: the platform team has stored no ${missing} yet. Offer the PDF or the barcode instead.`,
  );
}
