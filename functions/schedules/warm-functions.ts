import { warmWorker } from '../../shared/workers/warm-functions.ts';

export const handler = warmWorker();
