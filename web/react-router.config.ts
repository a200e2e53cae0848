import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  appDirectory: 'app',
  // Others may build into a folder of their own while a server runs from this one.
  buildDirectory: process.env.BUILD_DIR ?? 'build',
  // The whole route table comes with the page: no second request before a navigation, and none that a deploy breaks.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
