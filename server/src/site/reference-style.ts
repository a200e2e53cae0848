/**
 * Style of the reference page, in the product's colors; it is inline so that the page needs no other file.
 */
export const referenceStyle = `
:root{color-scheme:light dark;--paper:light-dark(oklch(.985 .002 95),oklch(.185 .012 265));--card:light-dark(#fff,oklch(.225 .013 265));--sunken:light-dark(oklch(.965 .003 95),oklch(.16 .012 265));--line:light-dark(oklch(.915 .004 95),oklch(.31 .014 265));--ink:light-dark(oklch(.24 .02 265),oklch(.94 .006 265));--ink-2:light-dark(oklch(.46 .018 265),oklch(.76 .012 265));--blue:light-dark(oklch(.51 .205 264),oklch(.72 .145 262));--wash:light-dark(oklch(.955 .022 262),oklch(.29 .06 264))}
*{box-sizing:border-box;margin:0}
html{scroll-padding-top:72px}
body{font:400 14px/1.5 'Inter Variable',Inter,system-ui,'Noto Sans CJK SC',sans-serif;color:var(--ink);background:var(--paper);display:grid;grid-template:auto 1fr/260px minmax(0,1fr);-webkit-font-smoothing:antialiased}
a{color:var(--blue);text-decoration:none}a:hover{text-decoration:underline}:focus-visible{outline:2px solid var(--blue);outline-offset:2px;border-radius:4px}
header{grid-column:1/-1;position:sticky;top:0;z-index:1;display:flex;align-items:center;gap:14px;height:56px;padding:0 24px;background:var(--paper);border-bottom:1px solid var(--line)}
.home{display:flex;align-items:center;gap:10px;font-weight:650;font-size:16px;letter-spacing:-.01em;color:var(--ink)}.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;z-index:2;background:var(--card);padding:8px}
nav{position:sticky;top:56px;align-self:start;height:calc(100vh - 56px);overflow:auto;padding:20px 12px 40px 24px;font-size:13px}
nav ul{list-style:none;padding:0}nav>ul>li>a{display:block;font-weight:600;color:var(--ink);padding:10px 0 4px}nav li li a{display:block;color:var(--ink-2);padding:3px 0}
main{padding:28px 40px 120px;max-width:980px;min-width:0}main:focus{outline:none}
h1{font-size:28px;letter-spacing:-.022em;line-height:1.2;margin-bottom:20px}h2{font-size:20px;letter-spacing:-.015em;margin:44px 0 12px}h3{font-size:14px;font-weight:500;overflow-wrap:anywhere}h4{font-size:13px;margin:16px 0 6px}
p,main ul{margin:8px 0}main ul{padding-left:20px}.quiet,.maybe{color:var(--ink-2)}.maybe{font-size:12px;font-weight:400}
code{font:12.5px/1.5 ui-monospace,'Cascadia Code',Menlo,Consolas,monospace;overflow-wrap:anywhere}td code{background:var(--sunken);border-radius:5px;padding:1px 5px}
.call{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;margin:14px 0}.call:target,tr:target{background:var(--wash)}
.method{display:inline-block;min-width:58px;text-align:center;font-size:12px;font-weight:650;border-radius:5px;padding:2px 6px;margin-right:6px;color:var(--blue);background:var(--wash)}.method.delete{color:light-dark(oklch(.47 .19 27),oklch(.79 .13 25));background:light-dark(oklch(.965 .02 25),oklch(.29 .055 25))}.method.post,.method.patch,.method.put{color:light-dark(oklch(.42 .12 152),oklch(.8 .13 155));background:light-dark(oklch(.955 .03 152),oklch(.29 .05 155))}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;min-width:520px;table-layout:fixed;font-size:13px}thead th:first-child{width:36%}th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line)}thead th{border:0;color:var(--ink-2);font-weight:500}tbody th{font-weight:500}
details{margin-top:14px}summary{cursor:pointer;font-weight:600;font-size:13px}.errors{margin-top:14px;line-height:2}
@media(max-width:768px){body{display:block}nav{position:static;height:auto;max-height:240px;border-bottom:1px solid var(--line)}main{padding:20px 16px 80px}header{padding:0 16px}.call{padding:14px}}
`;
