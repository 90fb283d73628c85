import { readConfig } from '../../packages/server/src/config.ts';
import { tellStory } from './story.ts';

// The demo was stopped; its channel must not keep this process running once the world is there.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

// Fills the data folder of the settings, and prints whose accounts can be used.
process.stdout.write(JSON.stringify(await tellStory(readConfig(process.env), Date.now())));
