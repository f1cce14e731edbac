/** The wallets that the service makes passes for. A stage has a secret for each. */
export const walletNames = ['apple', 'google'] as const;
export type WalletName = (typeof walletNames)[number];
