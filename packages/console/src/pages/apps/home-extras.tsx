import { ActionIcon } from '@mantine/core';
import { IconClock, IconStar, IconStarFilled } from '@tabler/icons-react';
import { matchPath } from 'react-router';
import type { ListedApp } from '../../api/apps.ts';
import { useFavorites, useSetFavorite, useSummaries } from '../../api/favorites.ts';
import { AppIcon } from '../../components/images/app-icon.tsx';
import { ButtonLink, TextLink } from '../../components/text/links.tsx';
import { useCurrentUser } from '../../context/current-user.ts';
import { appParams, appPath, paths, pathTo } from '../../paths.ts';
import { recentVisits } from '../../routing/recent-visits.ts';
import { inPercent } from '../crashes/issue-labels.tsx';
import classes from './home.module.css';

const VISIBLE_RECENT = 5;

/** Favorites of the user, and apps that they visited lately in this browser. */
export default function Shortcuts() {
  const me = useCurrentUser();
  const favorites = (useFavorites().data ?? []).map((app) => ({ to: appPath(app), app }));
  const recent = recentVisits(me.id)
    .filter(({ to }) => matchPath(paths.app, to) && !favorites.some((one) => one.to === to))
    .slice(0, VISIBLE_RECENT);
  if (favorites.length + recent.length === 0) return null;
  return (
    <nav aria-label="Favorite and recent apps">
      <ul className={classes.shortcuts}>
        {favorites.map(({ to, app }) => (
          <li key={to}>
            <ButtonLink to={to} variant="default" size="sm" leftSection={<AppIcon app={app} size={20} />}>
              {app.display_name}
            </ButtonLink>
          </li>
        ))}
        {recent.map(({ to, label }) => (
          <li key={to}>
            <ButtonLink to={to} variant="subtle" size="sm" leftSection={<IconClock size={16} aria-label="Recent" />}>
              {label}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface AppFigureProps {
  app: ListedApp;
  /** All apps in view, which one request covers. */
  ids: string[];
  name: 'Latest release' | 'Active devices' | 'Crash-free devices';
}

/** A figure of an app; a dash until it is counted, and for testers. */
export function AppFigure({ app, ids, name }: AppFigureProps) {
  const summary = useSummaries(ids).data?.get(app.id);
  const release = summary?.latest_release;
  if (name === 'Latest release' && release) {
    return (
      <TextLink to={pathTo('appRelease', { ...appParams(app), release: String(release.id) })} size="sm">
        {release.short_version}
      </TextLink>
    );
  }
  if (name === 'Active devices') return summary?.active_devices?.toLocaleString() ?? '—';
  if (name === 'Crash-free devices' && summary?.crash_free_devices !== undefined)
    return inPercent(summary.crash_free_devices);
  return '—';
}

/** Marks an app as a favorite, for the signed-in user on all their devices. */
export function FavoriteButton({ app }: { app: ListedApp }) {
  const favorites = useFavorites();
  const saving = useSetFavorite();
  const isFavorite = favorites.data?.some(({ id }) => id === app.id) ?? false;
  return (
    <ActionIcon
      variant="subtle"
      color={isFavorite ? 'yellow' : 'gray'}
      size={28}
      aria-pressed={isFavorite}
      aria-label={`Favorite ${app.display_name}`}
      loading={saving.isPending}
      disabled={favorites.data === undefined}
      onClick={() =>
        saving.mutate({ params: { owner_name: app.owner.name, app_name: app.name }, isFavorite: !isFavorite })
      }
    >
      {isFavorite ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} aria-hidden />}
    </ActionIcon>
  );
}
