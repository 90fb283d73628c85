import type { Build } from '../../api/builds.ts';
import { timeColumn } from '../../parts/columns.tsx';
import { NameLink, TextLink } from '../../parts/links.tsx';
import type { Column } from '../../parts/table.ts';
import { type AppParams, pathTo } from '../../paths.ts';
import { BuildStateBadge, buildStateOf, buildStateWords, durationInWords, Sha, triggerWords } from './build-words.tsx';

/** What lists of builds show. */
export const buildColumns = (params: AppParams, { hasBranch }: { hasBranch: boolean }): Column<Build>[] => [
  {
    label: 'Build',
    width: 110,
    text: ({ id }) => id,
    cell: ({ id }) => <NameLink to={pathTo('appBuild', { ...params, build: String(id) })}>{`Build ${id}`}</NameLink>,
  },
  {
    label: 'State',
    width: 120,
    text: (build) => buildStateWords[buildStateOf(build)],
    cell: (build) => <BuildStateBadge build={build} />,
  },
  ...(hasBranch
    ? [
        {
          label: 'Branch',
          text: ({ sourceBranch }: Build) => sourceBranch,
          cell: ({ sourceBranch }: Build) => (
            <TextLink to={pathTo('appBranch', { ...params, branch: sourceBranch })}>{sourceBranch}</TextLink>
          ),
        },
      ]
    : []),
  {
    label: 'Commit',
    width: 110,
    text: ({ sourceVersion }) => sourceVersion,
    cell: ({ sourceVersion }) => <Sha sha={sourceVersion} />,
  },
  {
    label: 'Trigger',
    width: 100,
    isSecondary: true,
    onPhone: 'hidden',
    text: ({ reason = '' }) => triggerWords[reason] ?? reason,
    cell: ({ reason = '' }) => triggerWords[reason] ?? reason,
  },
  {
    label: 'Duration',
    width: 120,
    onPhone: 'label',
    text: (build) => (build.startTime ? Date.parse(build.finishTime ?? '') - Date.parse(build.startTime) || 0 : 0),
    cell: (build) => durationInWords(build, Date.now()),
  },
  timeColumn('Queued', ({ queueTime }) => queueTime),
];
