import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { codePushDeploymentReleases_create, PACKAGE_MAX_BYTES } from '@mooring/contract';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { SendingProgress } from '../../api/file-chunks.ts';
import { useRelease } from '../../api/releases/codepush.ts';
import { DialogButton } from '../../components/dialogs/dialog-button.tsx';
import { useDialogGuard } from '../../components/dialogs/dialog-guard.ts';
import { DropZone } from '../../components/forms/drop-zone.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField } from '../../components/forms/fields.tsx';
import { FileProgress } from '../../components/forms/file-progress.tsx';
import { Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { newGuid } from '../../components/forms/new-guid.ts';
import { formatSize } from '../../components/text/format-size.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { RolloutField } from './rollout-field.tsx';

interface NewReleaseProps {
  deployment: string;
  /** The app versions of the latest release, which the next one usually shares. */
  target: string | undefined;
}

export const NewReleaseButton = ({ deployment, target }: NewReleaseProps) => (
  <DialogButton
    label="New release"
    title={`New release to ${deployment}`}
    width="lg"
    leftSection={<IconUpload size={16} aria-hidden />}
  >
    {(close) => <NewRelease deployment={deployment} target={target} onClose={close} />}
  </DialogButton>
);

/** File and upload ID: after a rejection, chunks that arrived are not sent again. */
interface Chosen {
  file: File;
  uploadId: string;
}

function findProblem({ name, size }: File): string | undefined {
  if (size === 0) return `“${name}” is empty. Bundle the app again.`;
  return size > PACKAGE_MAX_BYTES
    ? `“${name}” is larger than ${formatSize(PACKAGE_MAX_BYTES)}, the maximum size of a package.`
    : undefined;
}

function NewRelease({ deployment, target, onClose }: NewReleaseProps & { onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>();
  const [problem, setProblem] = useState<string>();
  const take = (file: File | null | undefined) => {
    if (!file) return;
    const newProblem = findProblem(file);
    setProblem(newProblem);
    if (!newProblem) setChosen({ file, uploadId: newGuid() });
  };
  if (chosen)
    return (
      <Describe
        deployment={deployment}
        target={target}
        chosen={chosen}
        onOther={() => setChosen(undefined)}
        onClose={onClose}
      />
    );
  return (
    <Stack gap="md">
      <DropZone onFile={take} hint="A .zip file with the bundle and its assets, or only the bundle" onCancel={onClose}>
        Drop a package here
      </DropZone>
      {problem && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
    </Stack>
  );
}

const rule = getBodyRules(codePushDeploymentReleases_create);

interface DescribeProps extends NewReleaseProps {
  chosen: Chosen;
  onOther: () => void;
  onClose: () => void;
}

/** Target versions and release notes; submitting uploads and releases the package. */
function Describe({ deployment, target, chosen: { file, uploadId }, onOther, onClose }: DescribeProps) {
  const { appRef } = useCurrentApp();
  const release = useRelease(appRef, deployment);
  const [rollout, setRollout] = useState(100);
  const [progress, setProgress] = useState<SendingProgress>();
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);
  useDialogGuard(release.isPending ? 'The upload is canceled, and the package is not released.' : undefined);
  return (
    <Form
      action="Release package"
      sending={release}
      onCancel={onClose}
      onSend={(fields) => {
        sending.current = new AbortController();
        release.mutate(
          {
            file,
            uploadId,
            signal: sending.current.signal,
            onProgress: setProgress,
            target_binary_version: fields.text('target_binary_version') ?? '',
            description: fields.text('description') ?? '',
            mandatory: fields.isOn('mandatory'),
            rollout,
          },
          { onSuccess: onClose },
        );
      }}
    >
      {release.isPending && progress ? (
        <FileProgress
          fileName={file.name}
          size={file.size}
          progress={progress}
          label={progress.sent < file.size ? 'Keep this dialog open during the upload.' : 'Reading the package…'}
        />
      ) : (
        <Group justify="space-between">
          <Text size="sm">
            <strong>{file.name}</strong>, {formatSize(file.size)}
          </Text>
          <Button variant="default" size="xs" onClick={onOther}>
            Choose other file
          </Button>
        </Group>
      )}
      <NameField
        name="target_binary_version"
        label="Target app versions"
        description="A version such as 1.2.0, a range such as ^1.2.0, or * for all versions."
        rule={rule('target_binary_version')}
        defaultValue={target}
        data-autofocus
      />
      <LongTextField name="description" label="Release notes" rule={rule('description')} />
      <Checkbox name="mandatory" label="Mandatory update" />
      <RolloutField value={rollout} min={1} onChange={setRollout} />
      <Text size="sm" c="dimmed">
        {rollout < 100 ? `${rollout}% of ${deployment} devices` : `All ${deployment} devices`} with these app versions
        get the release at their next update check.
      </Text>
    </Form>
  );
}
