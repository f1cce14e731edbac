/**
 * `NODE_OPTIONS` of functions that stream (ADR 13). A stream produces nothing but short-lived objects, and Node 24 lets them fill
 * 192 MB of the young generation of the heap before it collects. With 12 MB it collects more often and finds little to keep. What
 * is in use at two collections moves to the old generation, which V8 collects the later the larger its limit is: by default half
 * of the machine's memory, here half of the function's.
 */
export const streamingNodeOptions = '--max-semi-space-size=4 --max-old-space-size=512';
