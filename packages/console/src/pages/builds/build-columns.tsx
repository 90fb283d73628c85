import type { Build } from '../../api/builds/builds.ts';
import { timeColumn } from '../../components/tables/columns.tsx';
import type { Column } from '../../components/tables/table.ts';
import { NameLink, TextLink } from '../../components/text/links.tsx';
import { type AppParams, pathTo } from '../../paths.ts';
import {
  BuildStateBadge,
  buildStateLabels,
  formatDuration,
  getBuildState,
  Sha,
  triggerLabels,
} from './build-labels.tsx';

export const buildColumns = (params: AppParams, { hasBranch }: { hasBranch: boolean }): Column<Build>[] => [
  {
    id: 'build',
    label: 'Build',
    width: 110,
    text: ({ id }) => id,
    cell: ({ id }) => <NameLink to={pathTo('appBuild', { ...params, build: String(id) })}>{`Build ${id}`}</NameLink>,
  },
  {
    id: 'status',
    label: 'Status',
    width: 120,
    text: (build) => buildStateLabels[getBuildState(build)],
    cell: (build) => <BuildStateBadge build={build} />,
  },
  ...(hasBranch
    ? [
        {
          id: 'branch',
          label: 'Branch',
          text: ({ sourceBranch }: Build) => sourceBranch,
          cell: ({ sourceBranch }: Build) => (
            <TextLink to={pathTo('appBranch', { ...params, branch: sourceBranch })}>{sourceBranch}</TextLink>
          ),
        },
      ]
    : []),
  {
    id: 'commit',
    label: 'Commit',
    width: 110,
    text: ({ sourceVersion }) => sourceVersion,
    cell: ({ sourceVersion }) => <Sha sha={sourceVersion} />,
  },
  {
    id: 'trigger',
    label: 'Trigger',
    width: 100,
    isSecondary: true,
    mobileDisplay: 'hidden',
    text: ({ reason = '' }) => triggerLabels[reason] ?? reason,
    cell: ({ reason = '' }) => triggerLabels[reason] ?? reason,
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 120,
    mobileDisplay: 'label',
    text: (build) => (build.startTime ? Date.parse(build.finishTime ?? '') - Date.parse(build.startTime) || 0 : 0),
    cell: (build) => formatDuration(build, Date.now()),
  },
  timeColumn('queued', 'Queued', ({ queueTime }) => queueTime),
];
