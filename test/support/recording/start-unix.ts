/** A fixed time, so the demo and what it answers are the same in every recording: 26 February 2026, 01:00 UTC. */
export const startUnix = 1_772_067_600;
