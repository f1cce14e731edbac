/** A problem that the user must solve. Only its message is printed, without a stack, and the exit code is 1. */
export class Problem extends Error {}
