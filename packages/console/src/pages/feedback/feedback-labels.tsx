import { Badge } from '@mantine/core';
import type { FeedbackItem } from '../../api/telemetry/feedback.ts';

export type FeedbackState = FeedbackItem['state'];

export const stateLabels: Record<FeedbackState, string> = {
  open: 'Open',
  in_progress: 'In progress',
  closed: 'Closed',
};
const colors = { open: 'red', in_progress: 'blue', closed: 'green' } as const;

export const sourceLabels: Record<FeedbackItem['source'], string> = {
  sentry: 'Sentry SDK',
  install_page: 'Install page',
  api: 'API',
};

export const FeedbackStateBadge = ({ state }: { state: FeedbackState }) => (
  <Badge color={colors[state]}>{stateLabels[state]}</Badge>
);

/** Version and build; empty if unknown. */
export const formatAppVersion = ({ version, app_build }: Pick<FeedbackItem, 'version' | 'app_build'>): string =>
  [version, app_build && `(${app_build})`].filter(Boolean).join(' ');

/** The author, as they named themselves. */
export const formatAuthor = ({ name, email }: Pick<FeedbackItem, 'name' | 'email'>): string =>
  name ?? email ?? 'Anonymous';
