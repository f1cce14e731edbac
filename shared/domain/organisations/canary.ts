/** The organisation in which the canary holds a ticket every minute. It has no staff, no fans and no other events. */
export const canaryOrgId = 'org_canary';
