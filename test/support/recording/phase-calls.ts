import type { CallContext, MakeInput } from './call-input.ts';

/** What the office does with the phases of a new event. */
export const phaseCalls = (
  newEvent: (context: CallContext) => { readonly event_id: string },
): Readonly<Record<string, MakeInput>> => {
  const phase = (context: CallContext) => ({
    ...newEvent(context),
    phase_id: String(context.of('create-phase').phase_id),
  });
  return {
    'create-phase': (context) => ({
      params: newEvent(context),
      body: {
        title: 'Members first',
        from_unix: 1_793_437_200,
        until_unix: 1_793_523_600,
        requires: { attribute: { name: 'loyalty_points', at_least: 100 } },
        max_per_person: 4,
      },
    }),
    'list-phases': (context) => ({ params: newEvent(context) }),
    'update-phase': (context) => ({ params: phase(context), body: { max_per_person: 6 } }),
    'delete-phase': (context) => ({ params: phase(context) }),
  };
};
