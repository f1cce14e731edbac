/**
 * `NODE_OPTIONS` of functions that stream. Node 24 lets the young generation of the heap grow to 192 MB before it collects, and
 * a stream produces nothing but short-lived objects, so the memory of an export was mostly garbage (ADR 13). With 12 MB the
 * collector runs more often and finds little to keep.
 */
export const streamingNodeOptions = '--max-semi-space-size=4';
