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
} from '../../api/releases/codepush.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { actionsColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { ReleaseState } from './release-state.tsx';
import { RolloutField } from './rollout-field.tsx';

interface ReleasesProps {
  deployment: string;
  history: Release[];
  metrics: ReadonlyMap<string, Metrics>;
}

type OpenDialog = { kind: 'change' | 'promote' | 'rollback'; release: Release };

const getLabel = ({ label = '' }: Release): string => label;
const getSortKey = (release: Release): string => getLabel(release).slice(1).padStart(9, '0');

function formatSizes({ size = 0, diff_package_map = {} }: Release): string {
  const diffs = Object.values(diff_package_map).map((diff) => diff.size);
  return diffs.length === 0 ? formatSize(size) : `${formatSize(size)}, diffs from ${formatSize(Math.min(...diffs))}`;
}

export function Releases({ deployment, history, metrics }: ReleasesProps) {
  const { can } = useCurrentApp();
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const newest = history.at(-1);
  const close = () => setOpenDialog(undefined);
  const columns: Column<Release>[] = [
    {
      id: 'release',
      label: 'Release',
      width: 120,
      text: getSortKey,
      cell: (release) => <ReleaseState release={release} />,
    },
    {
      id: 'app_versions',
      label: 'App versions',
      width: 90,
      text: ({ target_binary_range = '' }) => target_binary_range,
      cell: ({ target_binary_range }) => target_binary_range,
    },
    {
      id: 'release_notes',
      label: 'Release notes',
      text: ({ description = '' }) => description,
      cell: ({ description }) => description,
    },
    {
      id: 'active',
      label: 'Active',
      isNumber: true,
      width: 75,
      cell: (release) => (metrics.get(getLabel(release))?.active ?? 0).toLocaleString(),
      mobileDisplay: 'label',
    },
    {
      id: 'rolled_back',
      label: 'Rolled back',
      isNumber: true,
      width: 105,
      mobileDisplay: 'label',
      cell: (release) => {
        const failed = metrics.get(getLabel(release))?.failed ?? 0;
        return (
          <Text size="sm" c={failed > 0 ? 'red' : undefined} fw={failed > 0 ? 600 : undefined}>
            {failed.toLocaleString()}
          </Text>
        );
      },
    },
    { id: 'size', label: 'Size', width: 100, isNumber: true, cell: formatSizes, isSecondary: true },
    {
      id: 'released',
      label: 'Released',
      width: 145,
      isSecondary: true,
      cell: ({ upload_time = 0 }) => <Time at={new Date(upload_time).toISOString()} />,
    },
    actionsColumn(240, (release) => (
      <>
        {can(deploymentReleases_update) && (
          <RowButton label={`Edit ${getLabel(release)}`} onClick={() => setOpenDialog({ kind: 'change', release })}>
            Edit
          </RowButton>
        )}
        {can(codePushDeployments_promote) && (
          <RowButton label={`Promote ${getLabel(release)}`} onClick={() => setOpenDialog({ kind: 'promote', release })}>
            Promote
          </RowButton>
        )}
        {can(codePushDeploymentRelease_rollback) && release !== newest && (
          <RowButton
            label={`Roll back to ${getLabel(release)}`}
            onClick={() => setOpenDialog({ kind: 'rollback', release })}
          >
            Roll back
          </RowButton>
        )}
      </>
    )),
  ];
  const query = { data: history.toReversed(), error: null, refetch: () => undefined };
  return (
    <>
      <DataTable
        id="codepush-releases"
        label="Releases"
        name="releases"
        query={query}
        rowKey={getLabel}
        empty={null}
        columns={columns}
      />
      {openDialog?.kind === 'rollback' && newest && (
        <RollBack deployment={deployment} release={openDialog.release} newest={newest} onClose={close} />
      )}
      <Dialog
        opened={openDialog?.kind === 'promote'}
        onClose={close}
        title={openDialog ? `Promote ${getLabel(openDialog.release)}` : ''}
      >
        {openDialog && <Promote deployment={deployment} release={openDialog.release} onClose={close} />}
      </Dialog>
      <Dialog
        opened={openDialog?.kind === 'change'}
        onClose={close}
        title={openDialog ? `Edit ${getLabel(openDialog.release)}` : ''}
      >
        {openDialog && <Change deployment={deployment} release={openDialog.release} onClose={close} />}
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
  const { appRef } = useCurrentApp();
  const rollBack = useRollBack(appRef, deployment);
  return (
    <ConfirmDialog
      title={`Roll ${deployment} back to ${getLabel(release)}?`}
      action="Roll back"
      isDangerous
      mutation={rollBack}
      onConfirm={() => rollBack.mutate(release, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>
        Releases the package of {getLabel(release)} again, to all devices. Devices with {getLabel(newest)} get it at
        their next update check; devices that still run {getLabel(release)} keep it.
      </Text>
    </ConfirmDialog>
  );
}

function Promote({ deployment, release, onClose }: DialogProps) {
  const { appRef } = useCurrentApp();
  const promotion = usePromote(appRef, deployment);
  const others = (useDeployments(appRef).data ?? []).map(({ name }) => name).filter((name) => name !== deployment);
  const [chosen, setChosen] = useState<string>();
  const to = chosen ?? others.find((name) => name === 'Production') ?? others[0];
  const [rollout, setRollout] = useState(100);
  if (others.length === 0) return <Text>This app has no other deployment. Create one first.</Text>;
  return (
    <Form
      action="Promote release"
      sending={promotion}
      onCancel={onClose}
      onSend={() => {
        if (to) promotion.mutate({ to, label: getLabel(release), rollout }, { onSuccess: onClose });
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
        Creates a release in {to} with the package of {getLabel(release)}, for app versions{' '}
        {release.target_binary_range}. {rollout < 100 ? `${rollout}% of its devices` : 'All its devices'} get it at
        their next update check.
      </Text>
    </Form>
  );
}

const rule = getBodyRules(deploymentReleases_update);

function Change({ deployment, release, onClose }: DialogProps) {
  const { appRef } = useCurrentApp();
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
            label: getLabel(release),
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
        label="Release notes"
        rule={rule('description')}
        defaultValue={release.description}
      />
      <Checkbox name="is_mandatory" label="Mandatory update" defaultChecked={release.is_mandatory} />
      <Checkbox
        name="is_disabled"
        label="Disabled: devices no longer get this release, and devices that run it return to the previous one"
        defaultChecked={release.is_disabled}
      />
      {before < 100 && <RolloutField value={rollout} min={before} onChange={setRollout} />}
    </Form>
  );
}
