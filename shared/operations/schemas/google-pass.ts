import * as v from 'valibot';
import { field, resource } from './fields.ts';

export const GooglePass = resource('GooglePass', 'A pass for Google Wallet.', {
  save_url: field(
    v.string(),
    'The address at which the holder adds the pass to Google Wallet. It contains the pass, so show it to the holder only.',
  ),
});
