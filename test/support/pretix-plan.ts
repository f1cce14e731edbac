/** A plan as pretix's editor saves it, with what it adds to its schema. */
export const pretixPlan = {
  name: 'Sample plan',
  categories: [{ name: 'Front', color: '#33ffff' }, { name: 'Back' }],
  size: { width: 600, height: 500 },
  zones: [
    {
      name: 'Main Area',
      uuid: '3f6a',
      zone_id: 'ground-floor',
      position: { x: 10, y: 20 },
      areas: [{ shape: 'text', text: { text: 'Stage' }, position: { x: 0, y: 0 } }],
      rows: [
        {
          row_number: '0',
          row_number_position: 'both',
          position: { x: 40, y: 25 },
          seats: [0, 30, 60, 150, 180].map((x, index) => ({
            seat_guid: `0-${index}`,
            seat_number: `0-${index}`,
            radius: 10,
            position: { x, y: 0.5 },
            category: index < 4 ? 'Front' : 'Back',
          })),
        },
      ],
    },
  ],
};
