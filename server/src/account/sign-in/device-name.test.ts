import { expect, test } from 'vitest';
import { deviceName } from './device-name.ts';

const NAMES: Readonly<Record<string, string>> = {
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0':
    'Edge, Windows',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15':
    'Safari, macOS',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/130.0 Mobile/15E148 Safari/604.1':
    'Chrome, iPhone',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36':
    'Samsung Internet, Android',
  'rclone/v1.70.1': 'rclone/v1.70.1',
  'python-requests/2.32 (whatever)': 'python-requests/2.32',
  '<script>alert(1)</script>': '',
  '': '',
};

test('a device name is shown as its owner set it', () => {
  for (const [agent, name] of Object.entries(NAMES)) expect(deviceName(agent), agent).toBe(name);
});
