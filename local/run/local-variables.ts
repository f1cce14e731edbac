/** Variables of the local run only. They allow webhooks to a receiver on this machine, so webhooks can be tried. */
export const localVariables = { LOOPBACK_RECEIVERS: 'allowed' };
