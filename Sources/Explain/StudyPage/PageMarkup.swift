/// The HTML template of a page. The `@...@` placeholders are replaced in this order; the script
/// inserts the texts in the chosen language.
enum PageMarkup {
    static let text = #"""
        <!DOCTYPE html>
        <html lang="@language@">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="@policy@">
        <meta name="color-scheme" content="light dark">
        <link rel="icon" href="data:,">
        <title>@title@</title>
        <meta name="generator" content="@generator@">
        <style>@style@</style>
        </head>
        <body>
        <header>
          <div>
            <h1 id="title"></h1>
            <p id="about"></p>
          </div>
          <div id="languages" role="group" data-label="language"></div>
        </header>
        <noscript><p>This page needs JavaScript, which is in it.</p></noscript>
        <main>
          <section id="player" class="card" data-label="frame">
            <div id="area"><div id="canvas"><canvas id="frame" role="img"></canvas></div></div>
            <p id="caption"></p>
            <input id="position" type="range" min="0" value="0" data-label="position">
            <div id="controls">
              <div role="group" class="buttons" data-label="playing">
                <button id="back60" data-label="back60">−1/60</button>
                <button id="back240" data-label="back240">−1/240</button>
                <button id="play"></button>
                <button id="next240" data-label="next240">+1/240</button>
                <button id="next60" data-label="next60">+1/60</button>
              </div>
              <label id="pace"><span data-text="speed"></span>
                <input id="speed" type="range" min="-5" max="1" step="1" value="0"><output id="factor" for="speed"></output>
              </label>
            </div>
            <label class="box" id="marking"><input id="marks" type="checkbox"><span data-text="marks"></span></label>
            <div id="phases" role="group" data-label="phases"></div>
          </section>
          <section id="numbers" class="card" data-label="numbers">
            <p id="clock"><span id="time"></span><span id="count"></span></p>
            <div id="readout" class="wide" role="region" tabindex="0" data-label="positions"></div>
            <div id="charts"></div>
          </section>
          <section class="card">
            <h2 data-text="table"></h2>
            <p id="displacements"></p>
            <div id="table" class="wide" role="region" tabindex="0" data-label="table"></div>
          </section>
          <section class="card">
            <h2 data-text="keys"></h2>
            <label class="box"><input id="listens" type="checkbox" checked><span data-text="listens"></span></label>
            <dl id="list"></dl>
          </section>
        </main>
        <footer><p id="made"></p></footer>
        <script id="data" type="application/json">@data@</script>
        <script>@script@</script>
        </body>
        </html>

        """#
}
