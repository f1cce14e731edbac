const at = (x: number, y: number) => ({ x, y });

/** A plan as pretix's editor saves it, with everything that its format allows. */
export const pretixPlan = {
  name: 'Sample plan',
  categories: [{ name: 'Front', color: '#33ffff' }, { name: 'Back' }],
  size: { width: 600, height: 500 },
  zones: [
    {
      name: 'Main Area',
      uuid: '3f6a',
      zone_id: 'ground-floor',
      position: at(10, 20),
      areas: [
        { shape: 'text', text: { text: 'Stage', color: '#000', size: 16, position: at(5, 5.5) }, position: at(0, 0) },
        {
          shape: 'rectangle',
          rectangle: { width: 10.5, height: 4 },
          rotation: 45,
          color: '#fff',
          border_color: '#ccc',
        },
        { shape: 'polygon', polygon: { points: [at(0, 0), at(1, 0), at(0, 1)] }, uuid: '3f6b' },
        { shape: 'ellipse', ellipse: { radius: at(3, 4) } },
        { shape: 'circle', circle: { radius: 7.5 } },
      ],
      rows: [
        {
          row_number: '0',
          row_label: 'Row 0',
          seat_label: 'Seat %s',
          row_number_position: 'both',
          uuid: '3f6c',
          position: at(40, 25),
          seats: [0, 30, 60, 150, 180].map((x, index) => ({
            seat_guid: `0-${index}`,
            seat_number: `0-${index}`,
            uuid: `3f7${index}`,
            start_direction: index === 0 ? '>' : null,
            radius: 10.5,
            position: at(x, 0.5),
            category: index < 4 ? 'Front' : 'Back',
          })),
        },
      ],
    },
  ],
};
