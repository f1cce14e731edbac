import type { MeasurePart } from './measure-part.ts';

/** The parts in the order of the report. Each is loaded when it runs, because they set up the process in different ways. */
export const parts = {
  operations: async () => (await import('./parts/operations.ts')).measureOperations,
  growth: async () => (await import('./parts/growth.ts')).measureGrowth,
  contention: async () => (await import('./parts/contention.ts')).measureContention,
  webhooks: async () => (await import('./parts/webhooks.ts')).measureWebhooks,
  coldstart: async () => (await import('./parts/cold-start.ts')).measureColdStart,
  cpu: async () => (await import('./parts/cpu.ts')).measureCpu,
  simulation: async () => (await import('./parts/simulation.ts')).measureSimulation,
  local: async () => (await import('./parts/local.ts')).measureLocal,
} as const satisfies Record<string, () => Promise<MeasurePart>>;

export type Part = keyof typeof parts;
export const partNames = Object.keys(parts) as Part[];
