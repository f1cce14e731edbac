/** Something the reader must solve. Its message is all they see: no stack, and an exit code of 1. */
export class Problem extends Error {}
