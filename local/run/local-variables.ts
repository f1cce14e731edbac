/** What only the local run gives its functions. Webhooks may go to a receiver on this machine: there is nowhere else to try one. */
export const localVariables = { LOOPBACK_RECEIVERS: 'allowed' };
