import { search_find } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { searchEverything } from './search.ts';

export const searchRoutes = [
  route(search_find, async (ctx, { query }) => {
    const found = await searchEverything(ctx, { text: query.q, limit: query.limit });
    return { values: found.map(({ imageUrl, ...rest }) => ({ ...rest, image_url: imageUrl })) };
  }),
];
