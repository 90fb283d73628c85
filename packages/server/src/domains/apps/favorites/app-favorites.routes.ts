import { appFavorites_add, appFavorites_remove } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { addFavorite, removeFavorite } from './app-favorites.ts';

export const appFavoriteRoutes = [
  route(appFavorites_add, (ctx) => addFavorite(ctx)),
  route(appFavorites_remove, removeFavorite),
];
