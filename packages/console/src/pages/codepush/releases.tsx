import { Checkbox, Select, Text } from '@mantine/core';
import {
  codePushDeploymentRelease_rollback,
  codePushDeployments_promote,
  deploymentReleases_update,
} from '@mooring/contract';
import { useState } from 'react';
import {
  type Metrics,
  type Release,
  useChangeRelease,
  useDeployments,
  usePromote,
  useRollBack,
} from '../../api/codepush.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { Form } from '../../parts/form.tsx';
import { LongTextField } from '../../parts/long-text-field.tsx';
import { useAppHere } from '../../parts/may.ts';
import { RowButton } from '../../parts/row-button.tsx';
import { sizeInWords } from '../../parts/size-words.ts';
import type { Column } from '../../parts/table.ts';
import { Time } from '../../parts/time.tsx';
import { ReleaseState } from './release-state.tsx';
import { RolloutField } from './rollout-field.tsx';

interface ReleasesProps {
  deployment: string;
  history: Release[];
  metrics: ReadonlyMap<string, Metrics>;
}

type Doing = { what: 'change' | 'promote' | 'rollback'; release: Release };

const labelOf = ({ label = '' }: Release): string => label;
const numberOf = (release: Release): string => labelOf(release).slice(1).padStart(9, '0');

function sizesOf({ size = 0, diff_package_map = {} }: Release): string {
  const diffs = Object.values(diff_package_map).map((diff) => diff.size);
  return diffs.length === 0 ? sizeInWords(size) : `${sizeInWords(size)}, diffs from ${sizeInWords(Math.min(...diffs))}`;
}

export function Releases({ deployment, history, metrics }: ReleasesProps) {
  const { may } = useAppHere();
  const [doing, setDoing] = useState<Doing>();
  const newest = history.at(-1);
  const close = () => setDoing(undefined);
  const columns: Column<Release>[] = [
    { label: 'Release', width: 120, text: numberOf, cell: (release) => <ReleaseState release={release} /> },
    {
      label: 'For',
      width: 90,
      text: ({ target_binary_range = '' }) => target_binary_range,
      cell: ({ target_binary_range }) => target_binary_range,
    },
    {
      label: 'What is new',
      text: ({ description = '' }) => description,
      cell: ({ description }) => description,
    },
    {
      label: 'Active',
      width: 75,
      cell: (release) => (metrics.get(labelOf(release))?.active ?? 0).toLocaleString(),
      onPhone: 'label',
    },
    {
      label: 'Rolled back',
      width: 105,
      onPhone: 'label',
      cell: (release) => {
        const failed = metrics.get(labelOf(release))?.failed ?? 0;
        return (
          <Text size="sm" c={failed > 0 ? 'red' : undefined} fw={failed > 0 ? 600 : undefined}>
            {failed.toLocaleString()}
          </Text>
        );
      },
    },
    { label: 'Size', width: 100, cell: sizesOf, isSecondary: true },
    {
      label: 'Released',
      width: 145,
      isSecondary: true,
      cell: ({ upload_time = 0 }) => <Time at={new Date(upload_time).toISOString()} />,
    },
    actionsColumn(240, (release) => (
      <>
        {may(deploymentReleases_update) && (
          <RowButton label={`Change ${labelOf(release)}`} onClick={() => setDoing({ what: 'change', release })}>
            Change
          </RowButton>
        )}
        {may(codePushDeployments_promote) && (
          <RowButton label={`Promote ${labelOf(release)}`} onClick={() => setDoing({ what: 'promote', release })}>
            Promote
          </RowButton>
        )}
        {may(codePushDeploymentRelease_rollback) && release !== newest && (
          <RowButton label={`Roll back to ${labelOf(release)}`} onClick={() => setDoing({ what: 'rollback', release })}>
            Roll back
          </RowButton>
        )}
      </>
    )),
  ];
  const reading = { data: history.toReversed(), error: null, refetch: () => undefined };
  return (
    <>
      <DataTable label="Releases" name="releases" reading={reading} keyOf={labelOf} empty={null} columns={columns} />
      {doing?.what === 'rollback' && newest && (
        <RollBack deployment={deployment} release={doing.release} newest={newest} onClose={close} />
      )}
      <Dialog
        opened={doing?.what === 'promote'}
        onClose={close}
        title={doing ? `Promote ${labelOf(doing.release)}` : ''}
      >
        {doing && <Promote deployment={deployment} release={doing.release} onClose={close} />}
      </Dialog>
      <Dialog opened={doing?.what === 'change'} onClose={close} title={doing ? `Change ${labelOf(doing.release)}` : ''}>
        {doing && <Change deployment={deployment} release={doing.release} onClose={close} />}
      </Dialog>
    </>
  );
}

interface DialogProps {
  deployment: string;
  release: Release;
  onClose: () => void;
}

function RollBack({ deployment, release, newest, onClose }: DialogProps & { newest: Release }) {
  const { appRef } = useAppHere();
  const rollBack = useRollBack(appRef, deployment);
  return (
    <Confirm
      title={`Roll ${deployment} back to ${labelOf(release)}?`}
      action="Roll back"
      isDangerous
      doing={rollBack}
      onConfirm={() => rollBack.mutate(release, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        The package of {labelOf(release)} is released once more, to everybody. Devices that have {labelOf(newest)} get
        it at their next question; those that still have {labelOf(release)} keep it.
      </Text>
    </Confirm>
  );
}

function Promote({ deployment, release, onClose }: DialogProps) {
  const { appRef } = useAppHere();
  const promotion = usePromote(appRef, deployment);
  const others = (useDeployments(appRef).data ?? []).map(({ name }) => name).filter((name) => name !== deployment);
  const [chosen, setChosen] = useState<string>();
  const to = chosen ?? others.find((name) => name === 'Production') ?? others[0];
  const [rollout, setRollout] = useState(100);
  if (others.length === 0) return <Text>The app has no other deployment. Create one first.</Text>;
  return (
    <Form
      action="Promote"
      sending={promotion}
      onCancel={onClose}
      onSend={() => {
        if (to) promotion.mutate({ to, label: labelOf(release), rollout }, { onSuccess: onClose });
      }}
    >
      <Select
        label="To"
        data={others}
        value={to ?? null}
        onChange={(name) => setChosen(name ?? undefined)}
        allowDeselect={false}
      />
      <RolloutField value={rollout} min={1} onChange={setRollout} />
      <Text size="sm" c="dimmed">
        {to} gets the package of {labelOf(release)} as a release of its own, for {release.target_binary_range}.{' '}
        {rollout < 100 ? `${rollout} of a hundred devices get it` : 'All its devices get it'} at their next question.
      </Text>
    </Form>
  );
}

const rule = fieldsOf(deploymentReleases_update);

function Change({ deployment, release, onClose }: DialogProps) {
  const { appRef } = useAppHere();
  const change = useChangeRelease(appRef, deployment);
  const before = release.rollout ?? 100;
  const [rollout, setRollout] = useState(before);
  return (
    <Form
      action="Save"
      sending={change}
      onCancel={onClose}
      onSend={(fields) =>
        change.mutate(
          {
            label: labelOf(release),
            description: fields.text('description') ?? '',
            is_mandatory: fields.isOn('is_mandatory'),
            is_disabled: fields.isOn('is_disabled'),
            rollout,
          },
          { onSuccess: onClose },
        )
      }
    >
      <LongTextField
        name="description"
        label="What is new"
        rule={rule('description')}
        defaultValue={release.description}
      />
      <Checkbox name="is_mandatory" label="Devices must install it" defaultChecked={release.is_mandatory} />
      <Checkbox
        name="is_disabled"
        label="Disabled: devices do not get it, and those that have it go back to the release before"
        defaultChecked={release.is_disabled}
      />
      {before < 100 && <RolloutField value={rollout} min={before} onChange={setRollout} />}
    </Form>
  );
}
