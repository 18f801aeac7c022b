package io.rivulet.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.awaitility.core.ConditionTimeoutException;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** Debian's chromium without a window. Owned by: one test at a time. */
final class Browser implements AutoCloseable {
    private static final String NOTHING = "about:blank";

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    static Browser start(Path scratch) {
        Programs.require("chromium");
        Programs.require("chromedriver");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setCapability("goog:loggingPrefs", logs);
        options.setBinary("/usr/bin/chromium");
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--hide-scrollbars",
                "--ignore-certificate-errors", // those that a broker made itself
                "--user-data-dir=" + scratch);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File("/usr/bin/chromedriver"))
                .usingAnyFreePort()
                .build();
        Browser browser = new Browser(new ChromeDriver(service, options));
        browser.driver.get(NOTHING);
        List<String> unused = browser.complaints(); // of its own first page
        return browser;
    }

    void window(int width, int height) {
        var unused = driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void scheme(String lightOrDark) {
        var unused = driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
    }

    /** Loads the page anew, also if only the part behind # is another. */
    void open(String address) {
        driver.get(NOTHING);
        await().atMost(Clients.PATIENCE).until(() -> {
            driver.get(address);
            return !NOTHING.equals(driver.getCurrentUrl()); // a browser may drop an address that comes so soon
        });
    }

    String address() {
        return driver.getCurrentUrl();
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    /** Waits for the element. Elements that a page has replaced meanwhile are looked for again. */
    WebElement find(String css) {
        return await().atMost(Clients.PATIENCE)
                .ignoreExceptions()
                .until(() -> driver.findElement(By.cssSelector(css)), WebElement::isDisplayed);
    }

    WebElement button(String text) {
        return await().atMost(Clients.PATIENCE)
                .ignoreExceptions()
                .until(
                        () -> driver.findElement(By.xpath("//button[normalize-space()='" + text + "']")),
                        WebElement::isDisplayed);
    }

    void waitForText(String text) {
        waitForAnyText(List.of(text));
    }

    void waitForAnyText(List<String> texts) {
        try {
            await().atMost(Clients.PATIENCE)
                    .untilAsserted(() -> assertThat(String.valueOf(run("return document.body.innerText")))
                            .containsAnyOf(texts.toArray(CharSequence[]::new)));
        } catch (ConditionTimeoutException e) {
            Object state = run("return document.readyState + ', ' + performance.getEntriesByType('resource')"
                    + ".map(each => each.name + ' ' + each.responseStatus + ' ' + each.duration).join(', ')");
            throw new AssertionError(address() + " is " + state + "; complaints: " + complaints(), e);
        }
    }

    void type(String css, String text) {
        WebElement field = find(css);
        field.clear();
        field.sendKeys(text);
    }

    /** What the page or the browser has complained of since the last call. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(entry -> entry.getLevel() + " " + entry.getMessage())
                .toList();
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
