/**
 * What `warm-functions` sends to keep an instance. API Gateway builds the event of every request, and a client fills in only some of
 * its fields, so nobody outside can send this.
 */
export const warmCall = { gateline: 'warm' } as const;

export function isWarmCall(event: object): boolean {
  return 'gateline' in event && event.gateline === warmCall.gateline && !('requestContext' in event);
}
