import type { CallContext, MakeInput } from './call-input.ts';

const seatMap = ({ of }: CallContext) => ({ seat_map_id: String(of('create-seat-map').seat_map_id) });

/** What the examples of seat maps send. */
export const seatCalls: Readonly<Record<string, MakeInput>> = {
  'create-seat-map': () => ({
    body: {
      code: 'main-stand',
      title: 'Main stand',
      sections: [
        {
          section: 'Lower',
          zone: 'Premium',
          rows: [
            { row: 'A', seats: '1-4|5-8' },
            { row: 'B', seats: '1-8' },
          ],
        },
      ],
      kinds: [
        { kind: 'wheelchair', seats: ['Lower/A/1'] },
        { kind: 'companion', seats: ['Lower/A/2'], companion_of: 'Lower/A/1' },
      ],
    },
  }),
  'list-seat-maps': () => ({}),
  'retrieve-seat-map': (context) => ({ params: seatMap(context) }),
  'update-seat-map': (context) => ({
    params: seatMap(context),
    body: {
      title: 'Main stand',
      sections: [{ section: 'Lower', zone: 'Premium', rows: [{ row: 'A', seats: '1-4|5-8' }] }],
    },
  }),
};
